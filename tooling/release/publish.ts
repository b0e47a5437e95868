/**
 * `node publish.ts <folder> <checksum> [npm publish option …]`: publishes the packed packages in a folder, each once.
 *
 * It runs in a job that can publish, so it requires only Node and npm and installs no dependencies. The folder must
 * contain what was built (verified by checksum), and exactly the published packages in this checkout at their current
 * version.
 */
import { spawnSync } from "node:child_process"
import { globSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { problemsOf } from "./checksums.ts"

interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly publishConfig?: Readonly<Record<string, unknown>>
}

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..")

const fail = (message: string): never => {
  console.error(message)
  process.exit(1)
}

const run = (command: string, ...args: ReadonlyArray<string>) =>
  spawnSync(command, args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 })

/**
 * Fails if npm could read the tarball differently than this program does. npm strips the first folder from every entry,
 * whatever its name, so a second `package.json` could replace the one that is checked.
 */
const checkEntries = (tarball: string): void => {
  const { stdout: names } = run("tar", "-tzf", tarball)
  const { status, stdout: entries } = run("tar", "-tzvf", tarball)
  const paths = names.split("\n").filter((path) => path !== "")
  const isPlain = (path: string) => path.startsWith("package/") && !path.split("/").includes("..")
  const isFileOrFolder = (entry: string) => entry.startsWith("-") || entry.startsWith("d")
  const manifests = paths.filter((path) => path === "package/package.json").length
  if (
    status !== 0 ||
    manifests !== 1 ||
    !paths.every(isPlain) ||
    !entries.split("\n").every((entry) => entry === "" || isFileOrFolder(entry))
  ) {
    fail(`Nothing was published: ${tarball} has entries other than files in package/, or not exactly one package.json.`)
  }
}

const manifestOf = (tarball: string): Manifest => {
  checkEntries(tarball)
  const { status, stderr, stdout } = run("tar", "-xzOf", tarball, "package/package.json")
  return status === 0 ? (JSON.parse(stdout) as Manifest) : fail(`Cannot read ${tarball}: ${stderr}`)
}

/** The packages in a release: all packages in the checkout that are not private. */
const checkedOut: ReadonlyArray<Manifest> = globSync("{packages,apps}/*/package.json", { cwd: root })
  .map((path) => JSON.parse(readFileSync(join(root, path), "utf8")) as Manifest)
  .filter((manifest) => manifest.private !== true)

const expected = (): ReadonlyArray<string> => checkedOut.map(({ name, version }) => `${name}@${version}`).toSorted()

/**
 * npm merges `publishConfig` into its options before it gets a token, so `publishConfig` must not set a registry or
 * proxy.
 */
const isConfigured = ({ name, publishConfig = {} }: Manifest): boolean => {
  const known = checkedOut.find((manifest) => manifest.name === name)?.publishConfig ?? {}
  return Object.entries(publishConfig).every(([option, value]) => known[option] === value)
}

interface Packed extends Manifest {
  readonly tarball: string
}

/**
 * Sorts packages so that dependencies come first, because a package cannot be installed before its dependencies are
 * published.
 */
const inOrder = (packages: ReadonlyArray<Packed>): ReadonlyArray<Packed> => {
  const ordered = new Set<Packed>()
  const add = (one: Packed, above: ReadonlyArray<Packed> = []) => {
    if (above.includes(one)) return
    const needed = { ...one.dependencies, ...one.peerDependencies }
    for (const other of packages) if (other.name in needed) add(other, [...above, one])
    ordered.add(one)
  }
  for (const one of packages) add(one)
  return [...ordered]
}

const [folder = fail("Usage: node publish.ts <folder> <checksum> [option …]"), checksum = "", ...options] =
  process.argv.slice(2)
const problems = problemsOf(folder, checksum)
if (problems.length > 0) fail(`Nothing was published.\n${problems.join("\n")}`)

const packages = readdirSync(folder)
  .filter((name) => name.endsWith(".tgz"))
  .map((name): Packed => {
    const tarball = resolve(folder, name)
    return { ...manifestOf(tarball), tarball }
  })
const found = packages.map(({ name, version }) => `${name}@${version}`).toSorted()
if (found.join() !== expected().join()) {
  fail(`Nothing was published: expected ${expected().join(", ")}, got ${found.join(", ") || "nothing"}.`)
}

const strange = packages.filter((manifest) => !isConfigured(manifest))
if (strange.length > 0) {
  fail(
    `Nothing was published: publishConfig differs from this checkout: ${strange.map(({ name }) => name).join(", ")}.`
  )
}

const given = options.find((option) => option.startsWith("--registry="))?.slice("--registry=".length)
const registry = (given ?? run("npm", "config", "get", "registry").stdout.trim()).replace(/\/?$/, "/")

const isPublished = async ({ name, version }: Manifest): Promise<boolean> => {
  const response = await fetch(`${registry}${encodeURIComponent(name)}/${version}`)
  if (response.status === 404) return false
  if (!response.ok) fail(`Cannot tell whether ${name}@${version} has been published: HTTP ${response.status}`)
  const found = (await response.json()) as Partial<Manifest>
  return found.name === name && found.version === version
}

// The registry is asked about all packages first: a connection that stays open while npm publishes may be closed by then.
const ordered = inOrder(packages)
const published = await Promise.all(ordered.map(isPublished))
for (const [index, { name, tarball, version }] of ordered.entries()) {
  const id = `${name}@${version}`
  // Packages that have already been published are skipped, so that a run that failed partway through can be repeated.
  if (published[index] === true) {
    console.log(`${id} has already been published`)
    continue
  }
  const { status, stderr } = run("npm", "publish", tarball, "--access=public", "--ignore-scripts", ...options)
  if (status !== 0) fail(`Cannot publish ${id}:\n${stderr}`)
  console.log(`published ${id}`)
}
