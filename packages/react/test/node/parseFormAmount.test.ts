import { formatAmount } from "@geoswap/core/promise"
import { describe, expect, it } from "vitest"
import { seededRandom } from "../../../../tooling/testing/seededRandom.ts"
import { parseFormAmount } from "../../src/query.js"

const usdc = { symbol: "USDC", address: "", decimals: 6 }
const max = 2n ** 256n - 1n
const parse = (text: string, token = usdc) => parseFormAmount(text, token, max)

describe("parseFormAmount", () => {
  it.each([
    ["10", 10_000_000n],
    ["10.5", 10_500_000n],
    [" 10.5 ", 10_500_000n],
    ["0.000001", 1n],
    ["1.50000000000", 1_500_000n],
    ["007", 7_000_000n],
    ["5.", 5_000_000n],
    [".5", 500_000n],
    ["0", 0n]
  ])("parses %j", (text, amount) => {
    expect(parse(text)).toEqual({ amount })
  })

  it.each(["", "  ", "."])("returns neither an amount nor an error for %j", (text) => {
    expect(parse(text)).toEqual({})
  })

  it.each([
    ["1,5", "Enter 1.5, with a decimal point."],
    ["1,000", "Enter 1000, or 1.000 with a decimal point."],
    ["1,000.50", "Enter a number such as 1000.5, with a decimal point and no separators."],
    ["1.000,50", "Enter a number such as 1000.5, with a decimal point and no separators."],
    [",5", "Enter a number such as 1000.5, with a decimal point and no separators."],
    ["1 000", "Enter 1000, without spaces."],
    ["1\u00a0000.5", "Enter 1000.5, without spaces."],
    ["1.2345678", "USDC has 6 decimals, but this amount has 7."],
    ["-1", "Enter an amount greater than 0."],
    ["1e5", "Enter a number such as 1.5."],
    ["0x10", "Enter a number such as 1.5."],
    ["1.2.3", "Enter a number such as 1.5."],
    ["ten", "Enter a number such as 1.5."],
    ["٣", "Enter a number such as 1.5."],
    ["9".repeat(90), "This amount is too large."],
    [`${max}`, "This amount is too large."]
  ])("refuses %j with a helpful message", (text, error) => {
    const parsed = parse(text)
    expect(parsed.error).toBe(error)
    expect(parsed).not.toHaveProperty("amount")
  })

  it("suggests what an unclear amount may mean", () => {
    expect(parse("1,5").suggestions).toEqual(["1.5"])
    expect(parse("1,500").suggestions).toEqual(["1500", "1.500"])
    expect(parse(" 1 000.5 ").suggestions).toEqual(["1000.5"])
    for (const amount of ["", "1.5", "abc", "1,2,3", "-1,5"]) expect(parse(amount).suggestions ?? []).toEqual([])
  })

  it("requires a whole number for a token without decimals", () => {
    const nft = { symbol: "NFT", address: "", decimals: 0 }
    expect(parse("3", nft)).toEqual({ amount: 3n })
    expect(parse("3.0", nft)).toEqual({ amount: 3n })
    expect(parse("3.1", nft)).toEqual({ error: "NFT has no decimals. Enter a whole number." })
  })

  it("parses every formatted amount", () => {
    for (let index = 0; index < 2_000; index++) {
      const random = seededRandom(1, index)
      const decimals = random.below(31)
      const amount = BigInt(random.hex(1 + random.below(32)))
      const text = formatAmount(amount, decimals)
      expect(parse(text, { ...usdc, decimals }), `case ${index}: ${text}`).toEqual({ amount })
    }
  })

  it("never returns both an amount and an error, for any typed string", () => {
    for (let index = 0; index < 5_000; index++) {
      const random = seededRandom(2, index)
      const text = Array.from({ length: random.below(10) }, () => random.pick("0123456789.,- 'e".split(""))).join("")
      const { amount, error } = parse(text)
      const isBoth = amount !== undefined && error !== undefined
      // A comma or space between digits is always an error.
      const isGuessed = amount !== undefined && /\d[,\s]+\d/.test(text)
      expect({ text, isBoth, isGuessed }).toEqual({ text, isBoth: false, isGuessed: false })
    }
  })
})
