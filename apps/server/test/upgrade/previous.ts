/** The server of the previous version, built from the history of this repository. */
import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { Hex } from "viem"

/** The last commit of the previous version. A release moves it: see CONTRIBUTING.md. */
const commit = "8525dc9104882915415e7685478d79c929c1381e"

const root = fileURLToPath(new URL("../../../../", import.meta.url))
const cache = join(root, "node_modules/.cache/geoswap-previous")

const say = (line: string): void => void process.stderr.write(`previous version: ${line}\n`)

/** Variables that vitest, turbo and the package manager have set for themselves. */
const ours = /^(npm_(command|execpath|lifecycle|node_execpath|package)|pnpm_script|turbo|vitest|node_env$|init_cwd$)/i

/** The same Node, in an environment that does not point to our workspace. */
const environment = (): NodeJS.ProcessEnv => {
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name))
  const path = [dirname(process.execPath), process.env["PATH"]].join(delimiter)
  return { ...Object.fromEntries(kept), PATH: path, CI: "1" }
}

/** Runs a program until it exits, and fails with its output and what to do. */
const run = (folder: string, [program = "", ...args]: ReadonlyArray<string>, advice: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, env: environment(), stdio: ["ignore", "pipe", "pipe"] })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => void (output = `${output}${chunk.toString()}`.slice(-5_000)))
    }
    const fail = (why: string) => reject(new Error(`${[program, ...args].join(" ")}: ${why}. ${advice}\n${output}`))
    child.once("error", ({ message }) => fail(message))
    child.once("close", (code, signal) => (code === 0 ? resolve() : fail(`ended with ${code ?? signal}`)))
  })

interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
}

const manifestAt = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest

/** A package of a workspace after its run-time dependencies. */
const needsOf = (workspace: string, name: string): ReadonlyArray<string> => {
  const folder = ["packages", "apps"]
    .map((group) => join(workspace, group, name.replace("@geoswap/", "")))
    .find((path) => existsSync(join(path, "package.json")) && manifestAt(path).name === name)
  if (folder === undefined) throw new Error(`The previous version has no package ${name}.`)
  const inner = Object.entries(manifestAt(folder).dependencies ?? {})
    .filter(([, range]) => range.startsWith("workspace:"))
    .flatMap(([dependency]) => needsOf(workspace, dependency))
  return [...new Set([...inner, folder])]
}

const hasCommit = (): boolean => spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: root }).status === 0

const build = async (folder: string): Promise<void> => {
  if (!hasCommit()) {
    throw new Error(
      `The history has no commit ${commit}, which is the previous version. Fetch it: git fetch --unshallow, or in a workflow fetch-depth: 0.`
    )
  }
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  say(`unpacks ${commit} into ${folder}`)
  const archive = join(folder, "archive.tar")
  await run(root, ["git", "archive", "--format=tar", `--output=${archive}`, commit], "Is git installed?")
  await run(folder, ["tar", "-xf", archive], "Is tar installed?")
  rmSync(archive)
  say("installs its packages")
  // Its own pnpm-workspace.yaml is the nearest one, so ours is not read.
  await run(
    folder,
    ["pnpm", "install", "--frozen-lockfile", "--prefer-offline"],
    "Its lockfile needs packages that are neither in the store of pnpm nor in a registry that answers."
  )
  for (const needed of needsOf(folder, "@geoswap/server")) {
    say(`builds ${needed.slice(folder.length + 1)}`)
    // Only the JavaScript: its declarations are not used.
    await run(needed, ["pnpm", "exec", "tsup"], "Does that commit build with this version of Node?")
  }
}

/** What tests need of the previous version. */
export interface Previous {
  /** Its `cli.js`. */
  readonly cli: string
  /** The bytecode of its vault: an upgrade of the servers does not change the contracts. */
  readonly vault: Hex
}

/** The previous version, built once per commit and cached under `node_modules/.cache`. */
export const previousVersion = async (): Promise<Previous> => {
  const folder = join(cache, commit)
  const done = join(folder, "built")
  // Written last: an interrupted build is repeated.
  if (!existsSync(done)) {
    await build(folder)
    writeFileSync(done, "")
  }
  say(`is ${folder}`)
  const contracts = pathToFileURL(join(folder, "packages/contracts/dist/index.js")).href
  const { GeoVault } = (await import(contracts)) as { readonly GeoVault: { readonly bytecode: Hex } }
  return { cli: join(folder, "apps/server/dist/cli.js"), vault: GeoVault.bytecode }
}
