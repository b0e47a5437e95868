/** Installs examples from the packed packages into an empty folder, and runs them against a running stack. */
import { spawn } from "node:child_process"
import { cpSync, existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isWhole } from "../../../tooling/testing/matrix.js"
import { readManifest, root, tarball, tooling } from "../../../tooling/workspace.ts"
import type { StackDescription } from "../src/Stack.js"
import { describePages, type Start } from "./examples/pages.js"
import { programFixture, reaches, timeout } from "./fixture.js"

interface Manifest {
  readonly scripts: { readonly start: string }
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const source = join(root, "examples")
const folders = readdirSync(source, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
const isPage = (name: string) => existsSync(join(source, name, "index.html"))
const programs = folders.filter((name) => !isPage(name))
const pages = folders.filter(isPage)
/** The programs have the same few dependencies, so that one of them shows that the packed packages work. */
const examples = isWhole ? folders : programs
const started = isWhole ? programs : ["agent"]

const run = (command: string, args: ReadonlyArray<string>, cwd: string, env = process.env) =>
  new Promise<{ readonly code: number | null; readonly output: string }>((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => void (output += chunk))
    child.once("error", reject)
    child.once("close", (code) => resolve({ code, output }))
  })

/** The packages of the repository that have the dependencies of the examples. */
const homes = [tooling, join(root, "apps", "web")]

/** Our own packages come from their tarballs, and other packages in the version that we test with, if there is one. */
const overrideOf = (name: string): ReadonlyArray<readonly [name: string, version: string]> => {
  if (name.startsWith("@geoswap/")) return [[name, `file:${tarball(name)}`]]
  const installed = homes.map((home) => join(home, "node_modules", name)).find((folder) => existsSync(folder))
  if (installed === undefined) return []
  const own = [name, readManifest(installed).version] as const
  // vite works only with the rolldown that the workspace pins.
  const rolldown = () => readManifest(join(dirname(realpathSync(installed)), "rolldown")).version
  return name === "vite" ? [own, ["vite>rolldown", rolldown()]] : [own]
}

describe("the examples", () => {
  const { cli, folder } = programFixture(afterAll)
  let stack: StackDescription

  const manifestOf = (name: string) => JSON.parse(readFileSync(join(folder, name, "package.json"), "utf8")) as Manifest

  /** The start script of an example, and its environment. It runs as with npm, which takes longer than some examples. */
  const startOf = (name: string): Start => ({
    folder: join(folder, name),
    script: manifestOf(name).scripts.start,
    env: { ...process.env, PATH: [join(folder, name, "node_modules", ".bin"), process.env["PATH"]].join(delimiter) }
  })

  const install = async () => {
    const dependencies = new Set<string>()
    for (const name of examples) {
      cpSync(join(source, name), join(folder, name), { recursive: true })
      const manifest = manifestOf(name)
      for (const dependency of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })) {
        dependencies.add(dependency)
      }
    }
    const overrides = Object.fromEntries([...dependencies].flatMap(overrideOf))
    writeFileSync(join(folder, "pnpm-workspace.yaml"), JSON.stringify({ packages: ["*"], overrides }))
    const types = { "@types/node": readManifest(join(root, "node_modules", "@types/node")).version }
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, devDependencies: types }))
    const options = ["install", "--prefer-offline", "--ignore-scripts", "--strict-peer-dependencies"]
    const { code, output } = await run("pnpm", options, folder)
    expect([code, output]).toEqual([0, expect.any(String)])
  }

  beforeAll(async () => {
    const program = cli("start", "--free-ports", "--port", "0", "--json")
    await Promise.all([install(), reaches(program, "\n")])
    stack = JSON.parse(program.stdout()) as StackDescription
  }, timeout)

  it(
    "pass a strict type check",
    async () => {
      const compilerOptions = {
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        target: "es2023",
        module: "nodenext",
        jsx: "react-jsx",
        allowImportingTsExtensions: true,
        types: ["node"]
      }
      const include = ["*/*.ts", "*/src/*"]
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include }))
      const { code, output } = await run("tsc", ["-p", "tsconfig.json"], folder)
      expect([code, output]).toEqual([0, ""])
    },
    timeout
  )

  it.for(started)("%s swaps on a running stack", { timeout }, async (name) => {
    const { env, folder, script } = startOf(name)
    const { code, output } = await run("sh", ["-c", script], folder, env)
    expect([code, output]).toEqual([0, expect.stringContaining("settled")])
  })

  if (isWhole) describePages(pages, startOf, () => stack)
})
