import { expect, it } from "vitest"
import { inspect } from "../checks/rooms.ts"

const problems = (files: Readonly<Record<string, string>>) =>
  inspect(Object.entries(files).map(([path, text]) => ({ path, text })))

it("accepts imports of rooms below, of the own room, and of packages", () => {
  const files = {
    "index.ts": 'export * as Quote from "./calls/quote.js"',
    "calls/quote.ts":
      'import { price } from "../pricing/price.js"\nimport { own } from "./own.js"\nimport "effect/Effect"',
    "calls/own.ts": 'import type { Swap } from "../domain/Swap.js"\nexport const own = 1',
    "pricing/price.ts": "export const price = 1",
    "domain/Swap.ts": "export interface Swap {}"
  }
  expect(problems(files)).toEqual([])
})

it.each([
  ["an import of a room above", { "domain/a.ts": 'import type { B } from "../calls/b.js"', "calls/b.ts": "" }],
  ["an import of a room in the same row", { "chains/a.ts": 'export * from "../store/b.js"', "store/b.ts": "" }],
  ["an import of the index", { "calls/a.ts": 'import { B } from "../index.js"', "index.ts": "" }],
  ["a room that is in no row", { "helpers/a.ts": "" }],
  ["a file that is too long", { "domain/a.ts": "\n".repeat(301) }],
  [
    "a circle of three files",
    {
      "store/a.ts": 'import "./b.js"',
      "store/b.ts": 'import "./c.js"',
      "store/c.ts": 'import "./a.js"'
    }
  ],
  ["a circle of two folders", { "store/x/a.ts": 'import "../y/b.js"', "store/y/b.ts": 'import "../x/a.js"' }]
])("refuses %s", (_name, files) => {
  expect(problems(files)).toHaveLength(1)
})

it("accepts two files of one folder that import each other", () => {
  expect(problems({ "store/a.ts": 'import "./b.js"', "store/b.ts": 'import "./a.js"' })).toEqual([])
})
