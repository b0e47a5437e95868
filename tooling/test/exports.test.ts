import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { compare, namesOf } from "../checks/exports.ts"

const folder = mkdtempSync(join(tmpdir(), "geoswap-exports-"))
afterAll(() => rmSync(folder, { recursive: true }))

it("lists values and types, through re-exports and namespaces", () => {
  writeFileSync(
    join(folder, "Quote.d.ts"),
    `export declare const make: () => Quote
export interface Quote {}
declare const Base: { new (): object }
export declare class Failure extends Base {}
export declare const Both: string
export type Both = string`
  )
  writeFileSync(
    join(folder, "index.d.ts"),
    `export * as Quote from "./Quote.js"
export { make as create, type Quote as Offer } from "./Quote.js"
declare function local(): void
export { local }`
  )
  const names = namesOf(join(folder, "index.d.ts"))
  expect([...names].map(([name, { isType }]) => [name, isType])).toEqual([
    ["Quote", false],
    ["create", false],
    ["Offer", true],
    ["local", false]
  ])
  expect([...(names.get("Quote")?.members ?? [])]).toEqual([
    ["make", { isType: false }],
    ["Quote", { isType: true }],
    ["Failure", { isType: false }],
    ["Both", { isType: false }]
  ])
})

it("follows a star export", () => {
  writeFileSync(join(folder, "star.d.ts"), `export * from "./Quote.js"`)
  expect(namesOf(join(folder, "star.d.ts")).has("make")).toBe(true)
})

it("reports added and removed names with their namespaces", () => {
  const before = "core\n  Quote\n    make\n  Swap\n"
  expect(compare(before, before)).toEqual([])
  expect(compare(before, "core\n  Quote\n    decode\n  Swap\n")).toEqual([
    "- core > Quote > make",
    "+ core > Quote > decode"
  ])
})
