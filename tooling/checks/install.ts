/**
 * Checks that every packed package can be installed into an empty folder with only its peers, and that every entry
 * point can be imported and required.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Installed, minimumNode, node } from "../runtimes/installed.ts"
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

/**
 * Loads every entry point as programs do. The packages are ES modules, which Node also loads with `require`. Loading a
 * package takes longer than everything else, so one process loads all of its entry points.
 */
const load = (specifiers: ReadonlyArray<string>): string => `
  const load = async (verb, specifier, load) => {
    try {
      if (Object.keys(await load()).length === 0) throw new Error("It exports nothing.")
    } catch (error) {
      console.error(specifier + " cannot be " + verb + ":", error)
      process.exit(1)
    }
  }
  const loadAll = async () => {
    for (const one of ${JSON.stringify(specifiers)}) {
      await load("required", one, () => require(one))
      await load("imported", one, () => import(one))
    }
  }
  loadAll()`

/** The Nodes that a package must load in. Node 20 warns that `require` of an ES module is experimental. */
const nodesFor = (name: string): ReadonlyArray<Installed & { readonly args?: ReadonlyArray<string> }> =>
  libraries.includes(name) ? [node, { ...minimumNode, args: ["--disable-warning=ExperimentalWarning"] }] : [node]

const folderOf = (root: string, name: string): string => join(root, name.replace("@", "").replace("/", "-"))

/** Writes a folder for each package that depends only on the package and its peers. */
const prepare = (root: string, packages: ReadonlyArray<Package>): void => {
  const ours = new Set(packages.map(({ name }) => name))
  for (const { name, peers } of packages) {
    // An optional peer that no entry point imports is not a dependency of `tooling`.
    const brought = peers.filter((peer) => ours.has(peer) || existsSync(join(tooling, "node_modules", peer)))
    const dependencies = Object.fromEntries([name, ...brought].map((one) => [one, versionOf(one, ours)]))
    mkdirSync(folderOf(root, name), { recursive: true })
    writeFileSync(join(folderOf(root, name), "package.json"), JSON.stringify({ private: true, dependencies }))
  }
  // Dependencies on our own packages also resolve to tarballs, because those packages are not published yet.
  const overrides = Object.fromEntries([...ours].map((own) => [own, versionOf(own, ours)]))
  // Without hoisting, a package finds only the dependencies that it declares.
  writeFileSync(join(root, "pnpm-workspace.yaml"), JSON.stringify({ packages: ["*"], overrides, hoist: false }))
}

const tryPackage = async (root: string, { entries, name }: Package): Promise<ReadonlyArray<string>> => {
  const problems: Array<string> = []
  for (const { args = [], label, path } of entries.length === 0 ? [] : nodesFor(name)) {
    if (path === undefined) continue
    const code = load(entries.map(({ specifier }) => specifier))
    const options = [...args, "--input-type=commonjs", "--eval", code]
    const { ok, output } = await run(path, options, folderOf(root, name))
    if (!ok || output !== "") problems.push(`${name} cannot be loaded in ${label}, or prints something:\n${output}`)
  }
  return problems
}

export const check = async (): Promise<Report> => {
  const packages = publishedPackages()
  const root = mkdtempSync(join(tmpdir(), "geoswap-install-"))
  try {
    prepare(root, packages)
    const options = ["--prefer-offline", "--ignore-scripts", "--strict-peer-dependencies"]
    const { ok, output } = await run("pnpm", ["install", ...options], root)
    const problems = ok ? [] : [`The packages cannot be installed:\n${output}`]
    if (ok) for (const item of packages) problems.push(...(await tryPackage(root, item)))
    const count = packages.flatMap(({ entries }) => entries).length
    return {
      problems,
      summary: `${packages.length} packages installed into empty folders, ${count} entry points imported and required in ${node.label}, and those of the libraries in ${minimumNode.label}`
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
