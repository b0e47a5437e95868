import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { toLocalAmount, toPlainAmount } from "../../src/form/localAmount.js"

afterEach(() => vi.unstubAllGlobals())

describe("with a decimal comma", () => {
  beforeEach(() => vi.stubGlobal("navigator", { languages: ["de-DE"], language: "de-DE" }))

  test("toPlainAmount reads the comma, and leaves an amount with two meanings to be refused", () => {
    const plain = [
      ["1,5", "1.5"],
      ["1,234", "1.234"],
      [",5", ".5"],
      ["1.5", "1.5"],
      ["0.125", "0.125"],
      ["1.500", "1,500"],
      ["1.500,5", "1.500,5"],
      ["abc", "abc"],
      ["", ""]
    ] as const
    expect(plain.map(([entered]) => toPlainAmount(entered))).toEqual(plain.map(([, amount]) => amount))
  })

  test("toLocalAmount writes the comma", () => {
    expect([toLocalAmount("12.125"), toLocalAmount("7")]).toEqual(["12,125", "7"])
  })
})

test("without one, an amount stays as it was typed", () => {
  vi.stubGlobal("navigator", { languages: ["en-GB"], language: "en-GB" })
  expect(["1,5", "1.500"].map(toPlainAmount)).toEqual(["1,5", "1.500"])
  expect(toLocalAmount("12.125")).toBe("12.125")
})
