/**
 * Checks that the dependencies of CI and of the image are pinned, and that no job that can publish runs a dependency.
 * Actions are pinned by commit, and images by digest. Exceptions are listed in docs/security.md.
 */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { parse } from "yaml"
import { read, type Report, root, sourceFiles } from "../workspace.ts"

type Node = Readonly<Record<string, unknown>>

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Node
}

interface Job {
  readonly permissions?: string | Readonly<Record<string, string>>
  readonly container?: string | { readonly image?: string }
  readonly services?: Readonly<Record<string, { readonly image?: string }>>
  readonly uses?: string
  readonly steps?: ReadonlyArray<Step>
}

interface Workflow {
  readonly on?: unknown
  readonly permissions?: Job["permissions"]
  readonly jobs?: Readonly<Record<string, Job>>
}

/** A third-party action or image, and the file that uses it. */
export interface Use {
  readonly name: string
  readonly where: string
}

const heading = "### Not pinned"

/** The documented exceptions, from the first column of the table in docs/security.md. */
export const documented = (text: string): ReadonlyArray<string> => {
  const [, section = ""] = text.split(`${heading}\n`)
  const [table = ""] = section.split(/^#/m)
  return [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, name = ""]) => name)
}

const isPinned = (name: string): boolean => /@([0-9a-f]{40}|sha256:[0-9a-f]{64})$/.test(name)

const values = <A>(record: Readonly<Record<string, A>> | undefined): ReadonlyArray<A> => Object.values(record ?? {})

const defined = (names: ReadonlyArray<string | undefined>): ReadonlyArray<string> =>
  names.filter((name) => name !== undefined)

const usesOf = ({ steps = [], uses }: Job): ReadonlyArray<string> =>
  defined([uses, ...steps.map((step) => step.uses)]).filter((name) => !name.startsWith("./"))

const imagesOf = ({ container, services }: Job): ReadonlyArray<string> =>
  defined([typeof container === "string" ? container : container?.image, ...values(services).map(({ image }) => image)])

/** The third-party actions and images in a workflow. */
export const inWorkflow = (path: string, text: string): ReadonlyArray<Use> => {
  const { jobs } = parse(text) as Workflow
  const names = values(jobs).flatMap((job) => [...usesOf(job), ...imagesOf(job)])
  return names.map((name) => ({ name, where: path }))
}

/** The base images in a Dockerfile, except its own stages and the empty image. */
export const inDockerfile = (path: string, text: string): ReadonlyArray<Use> => {
  const lines = [...text.matchAll(/^FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/gim)]
  const stages = new Set(["scratch", ...lines.map(([, , stage]) => stage?.toLowerCase())])
  const bases = lines.map(([, base = ""]) => base)
  const copied = [...text.matchAll(/^(?:COPY|ADD)\s+(?:--(?!from=)\S+\s+)*--from=(\S+)/gim)].map(
    ([, from = ""]) => from
  )
  const names = [...bases, ...copied].filter((name) => !stages.has(name.toLowerCase()) && !/^\d+$/.test(name))
  return names.map((name) => ({ name, where: path }))
}

/** The images in a compose file, except those that the file builds. */
export const inCompose = (path: string, text: string): ReadonlyArray<Use> => {
  const { services } = parse(text, { merge: true }) as {
    services?: Record<string, { image?: string; build?: unknown }>
  }
  const names = defined(values(services).map(({ build, image }) => (build === undefined ? image : undefined)))
  return names.map((name) => ({ name, where: path }))
}

/** Reports actions and images that are neither pinned nor documented, and documented exceptions that are not needed. */
export const unpinned = (uses: ReadonlyArray<Use>, exceptions: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found = uses.filter(({ name }) => !isPinned(name))
  const missing = found
    .filter(({ name }) => !exceptions.includes(name))
    .map(
      ({ name, where }) =>
        `${where}: ${name} is not pinned. Pin it by commit or digest, or list it under "Not pinned" in docs/security.md.`
    )
  const needless = exceptions
    .filter((exception) => !found.some(({ name }) => name === exception))
    .map((name) => `docs/security.md: ${name} is listed as not pinned, but nothing uses it that way.`)
  return [...new Set(missing), ...needless]
}

/** Whether a job's token can write. A token can write if the job declares no permissions. */
const mayWrite = (permissions: Job["permissions"]): boolean =>
  permissions === undefined || permissions === "write-all"
    ? true
    : typeof permissions !== "string" && values(permissions).includes("write")

/** Commands that install or run dependencies. */
const dependencies = [
  /\b(pnpm(?!-lock)|pnpx|yarn|bunx?|npx|corepack|turbo|vitest|tsup)\b/,
  /\bnpm\s+(?!(publish|view|--version)\b)\S+/,
  /\bchangeset\s+(version|publish|tag)\b/,
  /\.ci\/run\b/,
  /\btooling\/setup\b/,
  /\b(pip3?|apt-get|curl|wget)\b/
]

/** The modules that a program imports. */
const importsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']/g)].map(([, name = ""]) => name)

/**
 * The packages that a program in this repository imports, either directly or through another file in the repository.
 */
export const packagesOf = (path: string, readFile: (path: string) => string): ReadonlyArray<string> => {
  const seen = new Set<string>()
  const found = new Set<string>()
  const visit = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    for (const name of importsOf(readFile(file))) {
      if (name.startsWith(".")) visit(join(dirname(file), name))
      else if (!name.startsWith("node:")) found.add(name)
    }
  }
  visit(path)
  return [...found]
}

/** Reports problems with privileged jobs, which may run only what another job has built. */
export const privileged = (
  path: string,
  text: string,
  readFile: (path: string) => string = read
): ReadonlyArray<string> => {
  const workflow = parse(text) as Workflow
  const problems: Array<string> = []
  if (/\b(pull_request_target|workflow_run)\b/.test(JSON.stringify(workflow.on ?? ""))) {
    problems.push(`${path}: runs pull requests from forks with this repository's permissions`)
  }
  for (const [name, job] of Object.entries(workflow.jobs ?? {})) {
    const where = `${path}: the ${name} job`
    const hasSecrets = /\$\{\{[^}]*\bsecrets\b/.test(JSON.stringify(job))
    if (!mayWrite(job.permissions ?? workflow.permissions) && !hasSecrets) continue
    for (const action of usesOf(job).filter((one) => !isPinned(one))) {
      problems.push(`${where} is privileged, but ${action} is not pinned by commit`)
    }
    for (const image of imagesOf(job).filter((one) => !isPinned(one))) {
      problems.push(`${where} is privileged, but ${image} is not pinned by digest`)
    }
    for (const run of defined((job.steps ?? []).map((step) => step.run))) {
      const [command] = defined(dependencies.map((pattern) => pattern.exec(run)?.[0]))
      if (command !== undefined) problems.push(`${where} is privileged, but runs dependencies: ${command}`)
      if (/\bnpm\s+publish\b/.test(run) && !/\s--ignore-scripts\b/.test(run)) {
        problems.push(`${where} publishes without --ignore-scripts`)
      }
      for (const [, program = ""] of run.matchAll(/\bnode\s+([^\s-]\S*)/g)) {
        for (const needed of packagesOf(program, readFile)) {
          problems.push(`${where} is privileged, but runs ${program}, which imports the package ${needed}`)
        }
      }
    }
  }
  return problems
}

export const check = (): Report => {
  const files = sourceFiles()
  const workflows = files.filter((path) => /^\.github\/workflows\/.+\.ya?ml$/.test(path))
  const dockerfiles = files.filter((path) => /(^|\/)([\w.-]+\.)?Dockerfile(\.[\w.-]+)?$/.test(path))
  const composes = files.filter((path) => /(^|\/)(docker-)?compose(\.[\w-]+)?\.ya?ml$/.test(path))
  const uses = [
    ...workflows.flatMap((path) => inWorkflow(path, read(path))),
    ...dockerfiles.flatMap((path) => inDockerfile(path, read(path))),
    ...composes.flatMap((path) => inCompose(path, read(path)))
  ]
  const actions = files.filter((path) => /(^|\/)action\.ya?ml$/.test(path))
  const problems = [
    ...unpinned(uses, documented(read("docs/security.md"))),
    ...workflows.flatMap((path) => privileged(path, read(path), readProgram)),
    ...actions.map((path) => `${path}: this check does not read local actions`)
  ]
  const pinned = uses.filter(({ name }) => isPinned(name)).length
  return { problems, summary: `${uses.length} actions and images: ${pinned} pinned, the others documented` }
}

/** Returns the source of a program. A missing program is represented by an import of itself, so that it is reported. */
const readProgram = (path: string): string => (existsSync(join(root, path)) ? read(path) : `import "${path}"`)
