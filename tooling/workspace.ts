/** The workspace's files and published packages, for the checks. */
import { spawn } from "node:child_process"
import { globSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const tooling = dirname(fileURLToPath(import.meta.url))
export const root = dirname(tooling)

/** The result of a check. The check passes if there are no problems. */
export interface Report {
  readonly problems: ReadonlyArray<string>
  /** One line, or a table, for the log. */
  readonly summary: string
}

export interface Entry {
  /** The import specifier: `@geoswap/core/promise`. */
  readonly specifier: string
  readonly types: string
}

export interface Package {
  readonly name: string
  /** The path relative to the root, such as `packages/core`. */
  readonly path: string
  readonly directory: string
  readonly dependencies: ReadonlyArray<string>
  readonly peers: ReadonlyArray<string>
  readonly entries: ReadonlyArray<Entry>
}

/** The files of an entry point. */
interface Target {
  readonly types: string
  /** The bundled file for Node, from `bundleEntries.ts`. */
  readonly node?: string
  readonly default: string
}

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly version: string
  readonly dependencies?: Record<string, string>
  readonly peerDependencies?: Record<string, string>
  readonly exports?: Record<string, string | Target>
  readonly engines?: Record<string, string>
}

export const readManifest = (directory: string): Manifest =>
  JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as Manifest

/** The packages that programs import. They run on the minimum Node that `docs/runtimes.md` states. */
export const libraries: ReadonlyArray<string> = [
  "@geoswap/core",
  "@geoswap/deployments",
  "@geoswap/react",
  "@geoswap/signer-evm",
  "@geoswap/signer-solana",
  "@geoswap/tools",
  "@geoswap/transport-fetch"
]

/** All published packages, sorted by name. */
export const publishedPackages = (): ReadonlyArray<Package> =>
  globSync("{packages,apps}/*/package.json", { cwd: root })
    .map((path) => dirname(path).replaceAll("\\", "/"))
    .filter((path) => readManifest(join(root, path)).private !== true)
    .map(toPackage)
    .toSorted((a, b) => a.name.localeCompare(b.name))

const toPackage = (path: string): Package => {
  const directory = join(root, path)
  const manifest = readManifest(directory)
  const peers = Object.keys(manifest.peerDependencies ?? {})
  return {
    name: manifest.name,
    path,
    directory,
    peers,
    dependencies: [...Object.keys(manifest.dependencies ?? {}), ...peers],
    entries: Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) =>
      typeof target === "string"
        ? []
        : [{ specifier: manifest.name + subpath.slice(1), types: join(directory, target.types) }]
    )
  }
}

/** The files in the source tree, relative to the root, except those whose names `.gitignore` lists. */
export const sourceFiles = (): ReadonlyArray<string> => {
  const patterns = [".git", ...read(".gitignore").split("\n")].filter((pattern) => pattern !== "")
  const ignored = new RegExp(`^(${patterns.map((one) => one.replaceAll(".", "\\.").replaceAll("*", ".*")).join("|")})$`)
  const walk = (folder: string): ReadonlyArray<string> =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter(({ name }) => !ignored.test(name))
      .flatMap((entry) => {
        const path = folder === "" ? entry.name : `${folder}/${entry.name}`
        return entry.isDirectory() ? walk(path) : entry.isFile() ? [path] : []
      })
  return walk("").toSorted()
}

export const read = (path: string): string => readFileSync(join(root, path), "utf8")

/** Runs a program and collects its output. */
export const run = (
  command: string,
  args: ReadonlyArray<string>,
  cwd: string
): Promise<{ ok: boolean; output: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] })
    let output = ""
    const collect = (chunk: Buffer) => void (output += chunk.toString())
    child.stdout.on("data", collect)
    child.stderr.on("data", collect)
    child.on("error", reject)
    child.on("close", (code) => resolve({ ok: code === 0, output: output.trim() }))
  })

/** The folder for bundled entry points, relative to a package's folder. */
export const bundledFolder = "dist/bundled"

/** A package whose code is in a bundled entry point. `packages.json` in the folder lists them. */
export interface BundledPackage {
  readonly name: string
  readonly version: string
}

export const packed = join(tooling, ".packed")

/** The packed package, created by `pack.ts`. */
export const tarball = (name: string): string => join(packed, `${name.replace("@", "").replace("/", "-")}.tgz`)
