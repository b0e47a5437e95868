/**
 * Checks that every packed package can be installed into an empty folder with only its peers, and that every entry
 * point can be imported and required.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { minimumNode, node } from "../runtimes/installed.ts"
import {
  libraries,
  type Package,
  publishedPackages,
  readManifest,
  type Report,
  run,
  tarball,
  tooling
} from "../workspace.ts"

/**
 * The version to install. Our own packages are installed from their tarballs, and other packages in the version that we
 * test with.
 */
const versionOf = (name: string, ours: ReadonlySet<string>): string =>
  ours.has(name) ? `file:${tarball(name)}` : readManifest(join(tooling, "node_modules", name)).version

/** How programs load an entry point. The packages are ES modules, which Node also loads with `require`. */
const ways = [
  { verb: "imported", type: "module", load: (specifier: string) => `await import("${specifier}")` },
  { verb: "required", type: "commonjs", load: (specifier: string) => `require("${specifier}")` }
]

/** The Nodes that a package must load in. Node 20 warns that `require` of an ES module is experimental. */
const nodesFor = (name: string) =>
  libraries.includes(name) ? [node, { ...minimumNode, args: ["--disable-warning=ExperimentalWarning"] }] : [node]

const tryPackage = async (
  { entries, name, peers }: Package,
  ours: ReadonlySet<string>
): Promise<string | undefined> => {
  const folder = mkdtempSync(join(tmpdir(), "geoswap-install-"))
  try {
    const dependencies = Object.fromEntries(
      [name, ...peers].map((dependency) => [dependency, versionOf(dependency, ours)])
    )
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }))
    // Dependencies on our own packages also resolve to tarballs, because those packages are not published yet.
    const overrides = Object.fromEntries([...ours].map((own) => [own, versionOf(own, ours)]))
    writeFileSync(join(folder, "pnpm-workspace.yaml"), JSON.stringify({ overrides }))
    const install = await run(
      "pnpm",
      ["install", "--prefer-offline", "--ignore-scripts", "--strict-peer-dependencies"],
      folder
    )
    if (!install.ok) return `${name} cannot be installed:\n${install.output}`
    for (const { label, path, ...options } of nodesFor(name)) {
      if (path === undefined) continue
      const args = "args" in options ? options.args : []
      for (const { specifier } of entries) {
        for (const { load, type, verb } of ways) {
          const code = `if (Object.keys(${load(specifier)}).length === 0) throw new Error("exports nothing")`
          const { ok, output } = await run(path, [...args, `--input-type=${type}`, "--eval", code], folder)
          if (!ok || output !== "") {
            return `${specifier} cannot be ${verb} in ${label}, or prints something when ${verb}:\n${output}`
          }
        }
      }
    }
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const check = async (): Promise<Report> => {
  const packages = publishedPackages()
  const ours = new Set(packages.map(({ name }) => name))
  const problems: Array<string> = []
  for (const item of packages) {
    const problem = await tryPackage(item, ours)
    if (problem !== undefined) problems.push(problem)
  }
  const count = packages.flatMap(({ entries }) => entries).length
  return {
    problems,
    summary: `${packages.length} packages installed into empty folders, ${count} entry points imported and required in ${node.label}, and those of the libraries in ${minimumNode.label}`
  }
}
