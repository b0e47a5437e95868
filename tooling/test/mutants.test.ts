import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { mutants } from "../mutants.ts"
import { mutate } from "../testing/mutant.ts"
import { read, root } from "../workspace.ts"

describe("the list of mutants", () => {
  it("changes text that each file has once", () => {
    for (const mutant of mutants) {
      const text = read(mutant.file)
      expect(mutate(text, mutant)).not.toBe(text)
    }
  })

  it("has at least 300 different mutants", () => {
    expect(new Set(mutants.map((mutant) => JSON.stringify(mutant))).size).toBe(mutants.length)
    expect(mutants.length).toBeGreaterThanOrEqual(300)
  })

  it("names tests that exist", () => {
    for (const { tests } of mutants) expect(tests === undefined || existsSync(join(root, tests))).toBe(true)
  })

  it("refuses text that occurs twice or not at all", () => {
    for (const text of ["a a", "b"]) {
      expect(() => mutate(text, { file: "one.ts", find: "a", replace: "c" })).toThrow(/instead of once/)
    }
  })
})
