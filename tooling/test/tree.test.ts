import { expect, it } from "vitest"
import { inspect } from "../checks/tree.ts"

// Put together here, so that this file passes the check itself.
const host = ["npm", "js"].join("")
const registry = ["registry", host, "org"].join(".")
const home = ["", "home", "ada", "x"].join("/")
const undone = ["TO", "DO"].join("")

it("finds a registry", () => {
  expect(inspect("a.md", `one\nfrom https://${registry}/effect`)).toEqual([
    `a.md:2: "${host}" names a registry`,
    `a.md:2: "${registry}" names a registry`
  ])
})

it("finds the folder of a machine, but not the path of an address or of the tree", () => {
  expect(inspect("a.ts", `open("${home}")`)).toHaveLength(1)
  expect(inspect("a.ts", `see https://example.org${home} and ./src${home}`)).toEqual([])
})

it("finds work left undone", () => {
  expect(inspect("a.ts", `// ${undone}: later`)).toHaveLength(1)
  expect(inspect("a.ts", "const todos = 1")).toEqual([])
})

it("finds an address in a lockfile, and leaves the word alone elsewhere", () => {
  const line = "    resolution: {integrity: sha512-x, tarball: https://example.org/x.tgz}"
  expect(inspect("pnpm-lock.yaml", line)).toEqual(['pnpm-lock.yaml:1: "tarball:" is an address in a lockfile'])
  expect(inspect("docs/a.md", line)).toEqual([])
})
