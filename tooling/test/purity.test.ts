import { join } from "node:path"
import { expect, it } from "vitest"
import { inspect } from "../checks/purity.ts"
import { tooling } from "../workspace.ts"

const problems = (text: string, path = "a.ts") =>
  inspect({
    path,
    text,
    dependencies: ["effect", "@geoswap/core"],
    effectSource: join(tooling, "node_modules/effect/src")
  })

it("accepts a package's own files, declared packages and Effect's stable modules", () => {
  const text = ["./b.js", "../c.js", "@geoswap/core", "@geoswap/core/promise", "effect/Effect", "effect/Schema"]
  expect(problems(text.map((name) => `import "${name}"`).join("\n"))).toEqual([])
})

it.each([
  ['import * as fs from "node:fs"', "not a dependency"],
  ['import type { Stats } from "fs"', "not a dependency"],
  ['export * from "viem"', "not a dependency"],
  ['export const a = () => import("node:os")', "not a dependency"],
  ['export type A = import("node:os").CpuInfo', "not a dependency"],
  ['import { Effect } from "effect"', "import the module itself"],
  ['import { HttpClient } from "effect/http"', "not the folder's index"],
  ['import * as HttpClient from "effect/http/HttpClient"', "the module is unstable"],
  ['import * as Nothing from "effect/Nothing"', "no such module"]
])("refuses %s", (text, reason) => {
  expect(problems(text)).toEqual([expect.stringContaining(reason)])
})

it("rejects module state, but accepts constants and locals", () => {
  const text = ["let a = 0", "export let b = 0", "const c = new Map()", "export const d = []"].join("\n")
  expect(problems(text)).toHaveLength(4)
  expect(problems("const a = new Set([1])\nexport const b = () => { let c = 0; return c }")).toEqual([])
})

it("rejects reads of the clock", () => {
  expect(problems("export const now = () => new Date()")).toHaveLength(1)
  expect(problems("export const at = (ms: number) => new Date(ms)")).toEqual([])
})

it("lets only the Node entry point use Node, and no other file import that entry point", () => {
  const text = 'import { join } from "node:path"\nimport "./node/FileStore.js"\nconst held = new Set()'
  expect(problems(text, "packages/core/src/node.ts")).toEqual([])
  expect(problems('import "../../Store.js"\nimport "node:fs"', "packages/core/src/node/internal/lock.ts")).toEqual([])
  expect(problems('import "viem"', "packages/core/src/node/FileStore.ts")).toHaveLength(1)
  expect(problems('import "./node.js"', "packages/core/src/promise.ts")).toHaveLength(1)
  expect(problems('export * from "../node/FileStore.js"', "packages/core/src/programs/a.ts")).toHaveLength(1)
  expect(problems('import "node:fs"', "packages/core/src/nodes.ts")).toHaveLength(1)
})
