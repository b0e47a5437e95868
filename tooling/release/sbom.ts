/**
 * `node sbom.ts image <folder>`: writes the CycloneDX SBOMs for an image whose program is in a folder, based on the
 * lockfile and the installed packages.
 */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { type BundledPackage, bundledFolder, publishedPackages, root, run } from "../workspace.ts"

interface Component {
  readonly type: string
  readonly name: string
  readonly group?: string
  readonly version: string
  readonly purl: string
  readonly "bom-ref": string
}

/** The SBOM fields that we read. Other fields are kept unchanged. */
export interface Bom {
  readonly specVersion: string
  readonly metadata: { readonly component: Component }
  readonly components: ReadonlyArray<Component>
}

/**
 * The packages that bundle their dependencies. What they bundle is declared as development dependencies, which also
 * include build tools.
 */
const bundles = ["@geoswap/cli", "@geoswap/web"]

const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace("@", "%40")}@${version}`

const componentOf = ({ name, version }: BundledPackage): Component => {
  const [, group, plain = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? []
  const purl = purlOf(name, version)
  return {
    type: "library",
    name: plain,
    ...(group !== undefined && { group }),
    version,
    purl,
    "bom-ref": purl
  }
}

/** Adds packages that are missing from the SBOM. */
const withPackages = (bom: Bom, packages: ReadonlyArray<BundledPackage>): Bom => {
  const known = new Set([bom.metadata.component, ...bom.components].map(({ purl }) => purl))
  const added = new Map(packages.map(componentOf).map((component) => [component.purl, component]))
  return { ...bom, components: [...bom.components, ...[...added.values()].filter(({ purl }) => !known.has(purl))] }
}

/** The packages in a package's bundled entry points. */
const bundledIn = (name: string): ReadonlyArray<BundledPackage> => {
  const folder = publishedPackages().find((one) => one.name === name)?.directory ?? root
  const path = join(folder, bundledFolder, "packages.json")
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as ReadonlyArray<BundledPackage>) : []
}

/** Writes one package's SBOM, which pnpm generates from the lockfile. Adds what its entry points bundle. */
export const write = async (name: string, type: "library" | "application", path: string): Promise<Bom> => {
  const form = ["--sbom-format", "cyclonedx", "--sbom-spec-version", "1.6", "--sbom-type", type]
  const part = bundles.includes(name) ? [] : ["--prod"]
  const args = ["--filter", name, "sbom", ...form, ...part, "--out", resolve(path)]
  const { ok, output } = await run("pnpm", args, root)
  if (!ok) throw new Error(`Cannot create the SBOM for ${name}:\n${output}`)
  const bom = withPackages(JSON.parse(readFileSync(path, "utf8")) as Bom, bundledIn(name))
  writeFileSync(path, `${JSON.stringify(bom, null, 2)}\n`)
  return bom
}

/** All packages installed in a folder, at any depth. */
const installedIn = (folder: string): ReadonlyArray<BundledPackage> =>
  globSync("node_modules/{,.pnpm/*/node_modules/}{*,@*/*}/package.json", { cwd: folder })
    .map((path) => JSON.parse(readFileSync(join(folder, path), "utf8")) as { name?: string; version?: string })
    .flatMap(({ name, version }) => (name === undefined || version === undefined ? [] : [{ name, version }]))

/** Adds installed packages that are missing from the SBOM, such as peers. */
export const withInstalled = (bom: Bom, folder: string): Bom => withPackages(bom, installedIn(folder))

/** Writes the SBOMs for the server's image: one for the installed server, and one for its page. */
const ofImage = async (folder: string): Promise<void> => {
  const target = join(folder, "sbom")
  mkdirSync(target, { recursive: true })
  const server = join(target, "server.cdx.json")
  const bom = withInstalled(await write("@geoswap/server", "application", server), folder)
  writeFileSync(server, `${JSON.stringify(bom, null, 2)}\n`)
  const page = await write("@geoswap/web", "application", join(target, "web.cdx.json"))
  console.log(`${target}: ${bom.components.length} components in the server, ${page.components.length} in its page`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [command, folder] = process.argv.slice(2)
  if (command !== "image" || folder === undefined) throw new Error("Usage: node sbom.ts image <folder>")
  await ofImage(folder)
}
