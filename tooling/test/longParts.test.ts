import { globSync } from "node:fs"
import { join, matchesGlob } from "node:path"
import { expect, it } from "vitest"
import { parse } from "yaml"
import { listParts, parts, selectParts } from "../longParts.ts"
import { read, readManifest, root } from "../workspace.ts"

const names = parts.map(({ name }) => name)
const manifests = globSync("{packages/*,apps/*,tooling}/package.json", { cwd: root }).map((path) => {
  const folder = path.slice(0, -"/package.json".length)
  const { scripts = {} } = JSON.parse(read(path)) as { readonly scripts?: Readonly<Record<string, string>> }
  return { folder, name: readManifest(join(root, folder)).name, scripts }
})

/** The packages in which a part runs. */
const packagesOf = ({ packages, task }: (typeof parts)[number]) =>
  manifests
    .filter(({ scripts }) => scripts[task] !== undefined)
    .filter(({ folder, name }) => packages === undefined || packages === name || matchesGlob(`./${folder}`, packages))

it.for(parts)("runs $name in packages that exist", (part) => {
  expect(packagesOf(part)).not.toEqual([])
})

it("runs every file that npm test leaves out, or runs with few cases, in exactly one part", () => {
  const files = globSync("{packages/*,apps/*,tooling}/test/**/*.{long,fuzz}.test.ts", { cwd: root })
  expect(files).not.toEqual([])
  for (const file of files) {
    const found = parts.filter((part) => part.files !== undefined && matchesGlob(file, part.files))
    expect([file, ...found]).toHaveLength(2)
    const folders = found.flatMap(packagesOf).map(({ folder }) => folder)
    expect(folders).toContain(file.slice(0, file.indexOf("/test/")))
  }
})

it("takes at most two hours for each part", () => {
  expect(parts.filter(({ minutes }) => minutes > 120)).toEqual([])
})

it("selects the named parts, or all of them", () => {
  expect(selectParts([])).toEqual(parts)
  expect(selectParts(["soak", "fuzz"])).toEqual(parts.filter(({ name }) => name === "soak" || name === "fuzz"))
})

it("names all parts if one is unknown", () => {
  expect(selectParts(["fuzz", "nonsense"])).toBe(
    "Unknown part: nonsense. Use one or more of: matrix, fuzz, adversary, chaos, mutants, soak."
  )
})

it("lists each part with its usual time", () => {
  expect(listParts().split("\n")).toHaveLength(parts.length)
  expect(listParts()).toMatch(/^soak +\d+ min {2}a steady load/m)
})

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly strategy?: { readonly matrix: { readonly part?: unknown } } }>>
}

it("runs every part in the workflow", () => {
  const { jobs } = parse(read(".github/workflows/long.yml")) as Workflow
  expect(Object.values(jobs).flatMap(({ strategy }) => strategy?.matrix.part ?? [])).toEqual(names)
})
