import { describe, expect, it } from "vitest"
import { seededRandom } from "../../../../tooling/testing/seededRandom.ts"
import { rateOf } from "../../src/query.js"

describe("rateOf", () => {
  const six = { decimals: 6 }
  const eighteen = { decimals: 18 }

  it("returns both directions with at most six digits", () => {
    expect(rateOf(100_000_000n, six, 24_968_750_000_000_000n, eighteen)).toEqual({
      inputPerOutput: "4005.01",
      outputPerInput: "0.000249688"
    })
    expect(rateOf(3n, six, 1n, six)).toEqual({ inputPerOutput: "3", outputPerInput: "0.333333" })
    expect(rateOf(1n, six, 123_456_789n, six)).toEqual({ inputPerOutput: "0.0000000081", outputPerInput: "123457000" })
    expect(rateOf(1_000_000n, six, 999_999_500_000n, six)?.outputPerInput).toBe("1000000")
  })

  it("returns undefined if an amount is 0", () => {
    expect(rateOf(0n, six, 1n, six)).toBeUndefined()
    expect(rateOf(1n, six, 0n, six)).toBeUndefined()
  })

  it("is accurate to six digits for any amounts", () => {
    for (let index = 0; index < 2_000; index++) {
      const random = seededRandom(3, index)
      const amount = BigInt(random.hex(1 + random.below(12))) + 1n
      const output = BigInt(random.hex(1 + random.below(12))) + 1n
      const [input, received] = [{ decimals: random.below(19) }, { decimals: random.below(19) }]
      const rate = rateOf(amount, input, output, received)
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
