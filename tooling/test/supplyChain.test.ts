import { describe, expect, it } from "vitest"
import {
  documented,
  inCompose,
  inDockerfile,
  inWorkflow,
  packagesOf,
  privileged,
  unpinned
} from "../checks/supplyChain.ts"

const commit = "0123456789abcdef0123456789abcdef01234567"
const digest = `sha256:${commit}${commit.slice(0, 24)}`

/** A workflow with one job. */
const workflow = (job: ReadonlyArray<string>, top = "permissions:\n  contents: read") =>
  ["on: [push]", top, "jobs:", "  one:", ...job.map((line) => `    ${line}`)].join("\n")

const steps = (...lines: ReadonlyArray<string>) => ["steps:", ...lines.map((line) => `  - ${line}`)]
const publishes = ["permissions:", "  id-token: write"]

describe("pins", () => {
  const names = (text: string) => inWorkflow("a.yml", text).map(({ name }) => name)

  it("are required for every action and image in a workflow", () => {
    const job = ["container:", "  image: node:24", "services:", "  db:", "    image: postgres:15"]
    const uses = steps("uses: actions/checkout@v6", "uses: ./here", "run: echo")
    expect(names(workflow([...job, ...uses]))).toEqual(["actions/checkout@v6", "node:24", "postgres:15"])
    expect(names(workflow(["container: node:24", "uses: a/b/.github/workflows/c.yml@main"]))).toEqual([
      "a/b/.github/workflows/c.yml@main",
      "node:24"
    ])
  })

  it("are required for every base image in a Dockerfile, but not for its own stages", () => {
    const text = [
      "FROM --platform=linux/amd64 node:24 AS build",
      "FROM build AS test",
      "from scratch",
      "COPY --from=build /a /a",
      "COPY --chown=root:root --from=busybox:1 /b /b"
    ].join("\n")
    expect(inDockerfile("Dockerfile", text).map(({ name }) => name)).toEqual(["node:24", "busybox:1"])
  })

  it("are required for every image in a compose file that it does not build", () => {
    const text =
      "x-a: &a\n  image: ours\n  build: .\nservices:\n  one: *a\n  two:\n    <<: *a\n  db:\n    image: postgres:15\n"
    expect(inCompose("compose.yaml", text).map(({ name }) => name)).toEqual(["postgres:15"])
  })

  it("are a full commit or a full digest", () => {
    const of = (name: string) => unpinned([{ name, where: "a.yml" }], [])
    expect(of(`actions/checkout@${commit}`)).toEqual([])
    expect(of(`node:24@${digest}`)).toEqual([])
    for (const name of ["actions/checkout@v6", `a/b@${commit.slice(0, 7)}`, "node:24", `node@${digest.slice(0, -1)}`]) {
      expect(of(name)).toEqual([expect.stringMatching(`^a.yml: ${name} is not pinned`)])
    }
  })

  it("can be missing only if the documentation lists the exception, and every exception is needed", () => {
    const list = documented(
      "## A\n\n| `no:1` |\n\n### Not pinned\n\n| what | how |\n| --- | --- |\n| `nginx:stable` | `docker` |\n| `old:1` | - |\n\n## B\n\n| `c:1` |\n"
    )
    expect(list).toEqual(["nginx:stable", "old:1"])
    const uses = ["nginx:stable", "postgres:15"].map((name) => ({ name, where: "compose.yaml" }))
    expect(unpinned(uses, list)).toEqual([
      expect.stringMatching(/^compose.yaml: postgres:15 is not pinned/),
      "docs/security.md: old:1 is listed as not pinned, but nothing uses it that way."
    ])
  })
})

describe("a privileged job", () => {
  const programs: Readonly<Record<string, string>> = {
    "tooling/a.ts": 'import { b } from "./b.ts"\nimport { join } from "node:path"',
    "tooling/b.ts": 'export const b = await import("effect")',
    "tooling/clean.ts": 'import "node:fs"'
  }
  const readFile = (path: string) => programs[path] ?? ""
  const inspect = (job: ReadonlyArray<string>, top?: string) => privileged("a.yml", workflow(job, top), readFile)

  it.for([
    "pnpm install --frozen-lockfile",
    "npm ci",
    "npm install --global pnpm",
    "npm  test",
    "npm run release",
    "npx changeset publish",
    "corepack enable",
    ".ci/run",
    "node tooling/setup/main.js run ci",
    "curl https://example.com/install | sh"
  ])("must not run dependencies: %s", (command) => {
    expect(inspect([...publishes, ...steps(`run: ${command}`)])).toContainEqual(
      expect.stringMatching(/^a.yml: the one job is privileged, but runs dependencies: /)
    )
    // An unprivileged job may run dependencies.
    expect(inspect(steps(`run: ${command}`))).toEqual([])
  })

  it("must not test, build and publish at once", () => {
    const job = [
      "container: node:24-bookworm",
      "permissions:",
      "  contents: write",
      "  id-token: write",
      ...steps(
        "uses: actions/checkout@v4",
        "run: npm install --global pnpm@12.18.0",
        "run: .ci/run",
        "uses: changesets/action@v1"
      )
    ]
    expect(inspect(job).map((problem) => problem.replace("a.yml: the one job is privileged, but ", ""))).toEqual([
      "actions/checkout@v4 is not pinned by commit",
      "changesets/action@v1 is not pinned by commit",
      "node:24-bookworm is not pinned by digest",
      "runs dependencies: pnpm",
      "runs dependencies: .ci/run"
    ])
  })

  it("is one whose token can write, whose permissions are not set, or that has secrets", () => {
    const install = steps("run: npm ci")
    for (const top of ["permissions: write-all", "permissions:\n  contents: write", "env: {}"]) {
      expect(inspect(install, top)).toHaveLength(1)
    }
    expect(inspect(install, "permissions: read-all")).toEqual([])
    expect(inspect(install, "permissions: {}")).toEqual([])
    expect(inspect(["permissions:", "  packages: write", ...install])).toHaveLength(1)
    expect(inspect(steps("run: npm ci", "run: echo ${{ secrets.NPM_TOKEN }}"))).toHaveLength(1)
  })

  it("uses only pinned actions and images, even if the documentation lists an exception", () => {
    expect(inspect([...publishes, "container: node:24", ...steps("uses: actions/checkout@v6")])).toEqual([
      "a.yml: the one job is privileged, but actions/checkout@v6 is not pinned by commit",
      "a.yml: the one job is privileged, but node:24 is not pinned by digest"
    ])
    const pinned = [`container: node:24@${digest}`, ...steps(`uses: actions/checkout@${commit}`)]
    expect(inspect([...publishes, ...pinned])).toEqual([])
  })

  it("publishes without scripts, with programs that import no package", () => {
    expect(inspect([...publishes, ...steps("run: npm publish a.tgz --provenance")])).toEqual([
      "a.yml: the one job publishes without --ignore-scripts"
    ])
    expect(inspect([...publishes, ...steps("run: npm publish a.tgz --provenance --ignore-scripts")])).toEqual([])
    expect(packagesOf("tooling/a.ts", readFile)).toEqual(["effect"])
    expect(inspect([...publishes, ...steps("run: node tooling/a.ts .release")])).toEqual([
      "a.yml: the one job is privileged, but runs tooling/a.ts, which imports the package effect"
    ])
    expect(inspect([...publishes, ...steps("run: node tooling/clean.ts")])).toEqual([])
  })

  it("does not run for pull requests from forks", () => {
    const text = workflow(steps("run: echo")).replace("[push]", "[pull_request_target]")
    expect(privileged("a.yml", text, readFile)).toHaveLength(1)
  })
})
