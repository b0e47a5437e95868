/**
 * `node bundleEntries.ts`: bundles the entry points that have a file for Node, in the package in the current folder.
 *
 * Most of the time that Node takes to import a package is spent on finding and reading its files. The promise entry
 * points need several hundred files from Effect and from chain libraries, so their files for Node contain that code.
 * Entry points with Effect in their interface are not bundled, because all Effect code in a program must share one copy.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { rolldown } from "rolldown"
import { parseSync } from "rolldown/utils"
import { bundledFolder, type BundledPackage, readManifest } from "./workspace.ts"

const directory = process.cwd()
const entries = Object.values(readManifest(directory).exports ?? {}).flatMap((target) =>
  typeof target === "string" || target.node === undefined ? [] : [{ input: target.default, output: target.node }]
)

const bundle = await rolldown({
  cwd: directory,
  input: Object.fromEntries(
    entries.map(({ input, output }) => [relative(bundledFolder, output).replace(/\.js$/, ""), input])
  ),
  platform: "node",
  // What remains outside is Node's modules, which have no side effects. An unused import of them is dropped.
  treeshake: { moduleSideEffects: [{ external: true, sideEffects: false }] }
})
const { output } = await bundle.write({
  dir: bundledFolder,
  format: "esm",
  chunkFileNames: "[name].js",
  // Names are kept, so that stack traces stay readable.
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  comments: { legal: true, annotation: false, jsdoc: false }
})
await bundle.close()
const chunks = output.flatMap((file) => (file.type === "chunk" ? [file] : []))

const outside = chunks.flatMap(({ code, fileName }) => {
  const { module } = parseSync(fileName, code)
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.dynamicImports.map(({ moduleRequest: { end, start } }) => code.slice(start + 1, end - 1))
  ].filter((specifier) => !/^(\.|node:)/.test(specifier))
})
if (outside.length > 0) throw new Error(`These imports are not in the bundle: ${outside.join(", ")}.`)

/** The folder of the installed package that a module belongs to, or `undefined` for our own modules. */
const folderOf = (module: string): string | undefined =>
  /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(module.replaceAll("\\", "/"))?.[0]

const licenseOf = (folder: string): string => {
  const [file] = globSync("{LICENSE,LICENCE,license}*", { cwd: folder })
  if (file === undefined) throw new Error(`${folder} has no license file, so it cannot be bundled.`)
  return readFileSync(join(folder, file), "utf8").trim()
}

const folders = new Set(chunks.flatMap(({ moduleIds }) => moduleIds.flatMap((module) => folderOf(module) ?? [])))
const bundled = [...folders]
  .map((folder) => ({ ...readManifest(folder), text: licenseOf(folder) }))
  .toSorted((one, other) => one.name.localeCompare(other.name))

// Every license requires its text to be distributed with the code. The list is for the SBOM.
writeFileSync(
  join(bundledFolder, "LICENSES.txt"),
  bundled.map(({ name, text, version }) => `${name} ${version}\n\n${text}\n`).join(`\n${"-".repeat(80)}\n\n`)
)
const packages: ReadonlyArray<BundledPackage> = bundled.map(({ name, version }) => ({ name, version }))
writeFileSync(join(bundledFolder, "packages.json"), `${JSON.stringify(packages, null, 2)}\n`)
