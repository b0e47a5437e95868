import { describe, expect, it } from "vitest"
import { mutants } from "../mutants.ts"
import { mutate } from "../testing/mutant.ts"
import { read } from "../workspace.ts"

describe("the list of mutants", () => {
  it("changes text that each file has once", () => {
    for (const mutant of mutants) {
      const text = read(mutant.file)
      expect(mutate(text, mutant)).not.toBe(text)
    }
  })

  it("has at least 60 different mutants", () => {
    expect(new Set(mutants.map((mutant) => JSON.stringify(mutant))).size).toBe(mutants.length)
    expect(mutants.length).toBeGreaterThanOrEqual(60)
  })

  it("refuses text that occurs twice or not at all", () => {
    for (const text of ["a a", "b"]) {
      expect(() => mutate(text, { file: "one.ts", find: "a", replace: "c" })).toThrow(/instead of once/)
    }
  })
})
