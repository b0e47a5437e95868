import { formatAmount } from "@geoswap/core/promise"
import { describe, expect, it } from "vitest"
import { seededRandom } from "../../../../tooling/testing/seededRandom.ts"
import { parseFormAmount } from "../../src/query.js"

const usdc = { symbol: "USDC", address: "", decimals: 6 }
const most = 2n ** 256n - 1n
const read = (text: string, token = usdc) => parseFormAmount(text, token, most)

describe("an amount", () => {
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
  ])("is read from %j", (text, amount) => {
    expect(read(text)).toEqual({ amount })
  })

  it.each(["", "  ", "."])("is not there yet in %j, which is no error", (text) => {
    expect(read(text)).toEqual({})
  })

  it.each([
    ["1,5", "Write 1.5, with a point."],
    ["1,000", "Write 1000, or 1.000 with a point."],
    ["1,000.50", "Write a number such as 1000.5: a point, and no separators."],
    ["1.000,50", "Write a number such as 1000.5: a point, and no separators."],
    [",5", "Write a number such as 1000.5: a point, and no separators."],
    ["1 000", "Write 1000, without spaces."],
    ["1\u00a0000.5", "Write 1000.5, without spaces."],
    ["1.2345678", "USDC has 6 decimals; this has 7."],
    ["-1", "Write an amount above 0."],
    ["1e5", "Write a number such as 1.5."],
    ["0x10", "Write a number such as 1.5."],
    ["1.2.3", "Write a number such as 1.5."],
    ["ten", "Write a number such as 1.5."],
    ["٣", "Write a number such as 1.5."],
    ["9".repeat(90), "This is more than a chain can hold."],
    [`${most}`, "This is more than a chain can hold."]
  ])("is refused in %j with words that help", (text, error) => {
    expect(read(text)).toEqual({ error })
  })

  it("of a token that cannot be divided is whole", () => {
    const nft = { symbol: "NFT", address: "", decimals: 0 }
    expect(read("3", nft)).toEqual({ amount: 3n })
    expect(read("3.0", nft)).toEqual({ amount: 3n })
    expect(read("3.1", nft)).toEqual({ error: "NFT cannot be divided: write a whole number." })
  })

  it("is read back from whatever an amount is written as", () => {
    for (let index = 0; index < 2_000; index++) {
      const random = seededRandom(1, index)
      const decimals = random.below(31)
      const amount = BigInt(random.hex(1 + random.below(32)))
      const text = formatAmount(amount, decimals)
      expect(read(text, { ...usdc, decimals }), `case ${index}: ${text}`).toEqual({ amount })
    }
  })

  it("is an amount or an error, never both, for any text of the keyboard", () => {
    for (let index = 0; index < 5_000; index++) {
      const random = seededRandom(2, index)
      const text = Array.from({ length: random.below(10) }, () => random.pick("0123456789.,- 'e".split(""))).join("")
      const { amount, error } = read(text)
      const isBoth = amount !== undefined && error !== undefined
      // What has a comma or a space between digits is never read in silence.
      const isGuessed = amount !== undefined && /\d[,\s]+\d/.test(text)
      expect({ text, isBoth, isGuessed }).toEqual({ text, isBoth: false, isGuessed: false })
    }
  })
})
