/** Installs every example from the packed packages into an empty folder, and runs it against a running stack. */
import { spawn } from "node:child_process"
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, expect, it } from "vitest"
import { describeOnAnvil } from "../../../packages/devnet/test/onAnvil.js"
import { readManifest, root, tarball, tooling } from "../../../tooling/workspace.ts"
import { programFixture, reaches, timeout } from "./fixture.js"

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
}

const source = join(root, "examples")
const examples = readdirSync(source, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

const run = (command: string, args: ReadonlyArray<string>, cwd: string) =>
  new Promise<{ readonly code: number | null; readonly output: string }>((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => void (output += chunk))
    child.once("error", reject)
    child.once("close", (code) => resolve({ code, output }))
  })

describeOnAnvil("the examples", () => {
  const { cli, folder } = programFixture()

  beforeAll(async () => {
    const dependencies = new Set<string>()
    for (const name of examples) {
      cpSync(join(source, name), join(folder, name), { recursive: true })
      const manifest = JSON.parse(readFileSync(join(folder, name, "package.json"), "utf8")) as Manifest
      for (const dependency of Object.keys(manifest.dependencies)) dependencies.add(dependency)
    }
    // Our own packages come from their tarballs, and other packages in the version that we test with.
    const versionOf = (name: string) =>
      name.startsWith("@geoswap/") ? `file:${tarball(name)}` : readManifest(join(tooling, "node_modules", name)).version
    const overrides = Object.fromEntries([...dependencies].map((name) => [name, versionOf(name)]))
    writeFileSync(join(folder, "pnpm-workspace.yaml"), JSON.stringify({ packages: ["*"], overrides }))
    const types = { "@types/node": readManifest(join(root, "node_modules", "@types/node")).version }
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, devDependencies: types }))
    const install = ["install", "--prefer-offline", "--ignore-scripts", "--strict-peer-dependencies"]
    const { code, output } = await run("pnpm", install, folder)
    expect([code, output]).toEqual([0, expect.any(String)])
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
        allowImportingTsExtensions: true,
        types: ["node"]
      }
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*/*.ts"] }))
      const { code, output } = await run("tsc", ["-p", "tsconfig.json"], folder)
      expect([code, output]).toEqual([0, ""])
    },
    timeout
  )

  it(
    `swap on a running stack: ${examples.join(", ")}`,
    async () => {
      await reaches(cli("start", "--free-ports", "--port", "0", "--json"), "\n")
      for (const name of examples) {
        const { code, output } = await run("npm", ["start", "--silent"], join(folder, name))
        expect([name, code, output]).toEqual([name, 0, expect.stringContaining("settled")])
      }
    },
    timeout
  )
})
