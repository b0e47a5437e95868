import { describe, expect, it } from "vitest"
import { seededRandom } from "../../../../tooling/testing/seededRandom.ts"
import { Quote } from "../../src/index.js"

describe("exchangeRate", () => {
  const six = (amount: bigint) => ({ amount, decimals: 6 })
  const eighteen = (amount: bigint) => ({ amount, decimals: 18 })

  it("returns both directions with at most six digits", () => {
    expect(Quote.exchangeRate(six(100_000_000n), eighteen(24_968_750_000_000_000n))).toEqual({
      inputPerOutput: "4005.01",
      outputPerInput: "0.000249688"
    })
    expect(Quote.exchangeRate(six(3n), six(1n))).toEqual({ inputPerOutput: "3", outputPerInput: "0.333333" })
    expect(Quote.exchangeRate(six(1n), six(123_456_789n))).toEqual({
      inputPerOutput: "0.0000000081",
      outputPerInput: "123457000"
    })
    expect(Quote.exchangeRate(six(1_000_000n), six(999_999_500_000n))?.outputPerInput).toBe("1000000")
  })

  it("returns undefined if an amount is 0", () => {
    expect(Quote.exchangeRate(six(0n), six(1n))).toBeUndefined()
    expect(Quote.exchangeRate(six(1n), six(0n))).toBeUndefined()
  })

  it("is accurate to six digits for any amounts", () => {
    for (let index = 0; index < 2_000; index++) {
      const random = seededRandom(3, index)
      const amount = BigInt(random.hex(1 + random.below(12))) + 1n
      const output = BigInt(random.hex(1 + random.below(12))) + 1n
      const [input, received] = [
        { amount, decimals: random.below(19) },
        { amount: output, decimals: random.below(19) }
      ]
      const rate = Quote.exchangeRate(input, received)
      const exact = Number(output) / 10 ** received.decimals / (Number(amount) / 10 ** input.decimals)
      for (const [text = "", value] of [
        [rate?.outputPerInput, exact],
        [rate?.inputPerOutput, 1 / exact]
      ] as const) {
        expect(text).toMatch(/^\d+(\.\d+)?$/)
        expect(text.replace(".", "").replace(/^0+/, "").replace(/0+$/, "").length).toBeLessThanOrEqual(6)
        expect(Math.abs(Number(text) / value - 1), `case ${index}: ${text}`).toBeLessThan(6e-6)
      }
    }
  })
})
