import { describe, expect, it } from "vitest"
import { seededRandom } from "../../../../tooling/testing/seededRandom.ts"
import { impactOf, rateOf, refusalOf, riskOf } from "../../src/query.js"

const quote = { feeBps: 12.5 }

describe("the impact of a quote", () => {
  it.each([
    [{}, "none"],
    [{ priceImpactBps: 0 }, "none"],
    [{ priceImpactBps: 25 }, "none"],
    [{ priceImpactBps: -1 }, "low"],
    [{ priceImpactBps: -299 }, "low"],
    [{ priceImpactBps: -300 }, "high"],
    [{ priceImpactBps: -2, warnings: [{ code: "HIGH_PRICE_IMPACT" }] }, "high"],
    [{ warnings: [{ code: "HIGH_PRICE_IMPACT" }] }, "high"],
    [{ warnings: [{ code: "SOMETHING_ELSE" }] }, "none"]
  ])("of %j is %s", (given, impact) => {
    expect(impactOf({ ...quote, ...given })).toBe(impact)
  })

  it("is high from where the policy says", () => {
    expect(impactOf({ ...quote, priceImpactBps: -100 }, { highImpactBps: 100 })).toBe("high")
    expect(impactOf({ ...quote, priceImpactBps: -400 }, { highImpactBps: 500 })).toBe("low")
  })
})

describe("the risk of a quote", () => {
  it("is what lies between its output and its minimum", () => {
    expect(riskOf({ output: 1_000_000n, minOutput: 900_000n }, 1_000)).toEqual({
      minimum: 900_000n,
      atRisk: 100_000n,
      bps: 1_000,
      isWide: true
    })
    // Without a minimum, the slippage of the request says how much may be lost.
    expect(riskOf({ output: 1_000_000n }, 300)).toMatchObject({ minimum: 970_000n, atRisk: 30_000n, isWide: false })
    expect(riskOf({ output: 1_000_000n })).toMatchObject({ minimum: 1_000_000n, atRisk: 0n, isWide: false })
    expect(riskOf({ output: 0n, minOutput: 0n }, 10_000)).toMatchObject({ bps: 0, isWide: true })
  })

  it.each([
    [500, 950_000n, false],
    [500, 949_999n, false],
    [501, 950_000n, true],
    [10_000, 0n, true],
    // The request says 0.5%, and the quote binds less.
    [50, 949_998n, true],
    [undefined, 900_000n, true],
    [undefined, 995_000n, false]
  ])("with a slippage of %s and a minimum of %s is wide: %s", (slippageBps, minOutput, isWide) => {
    expect(riskOf({ output: 1_000_000n, minOutput }, slippageBps).isWide).toBe(isWide)
  })

  it("is wide from where the policy says", () => {
    const quoted = { output: 1_000_000n, minOutput: 980_000n }
    expect(riskOf(quoted, 200, { confirmSlippageBps: 100 }).isWide).toBe(true)
    expect(riskOf(quoted, 200, { confirmSlippageBps: 200 }).isWide).toBe(false)
  })
})

describe("a refusal", () => {
  it("says what was found and what is allowed", () => {
    expect(refusalOf({ ...quote, priceImpactBps: -420 }, { maxPriceImpactBps: 300 })).toBe(
      "The price impact is 4.2 %; at most 3 % is allowed."
    )
    expect(refusalOf(quote, { maxFeeBps: 10 })).toBe("The fee is 0.125 %; at most 0.1 % is allowed.")
    expect(refusalOf(quote, { maxPriceImpactBps: 300 })).toBe(
      "The quote does not tell its price impact; at most 3 % is allowed."
    )
    expect(refusalOf({ feeBps: Number.NaN }, { maxFeeBps: 10 })).toContain("The fee is NaN %")
  })

  it("is not there within the limits, or without any", () => {
    expect(refusalOf({ ...quote, priceImpactBps: -300 }, { maxPriceImpactBps: 300, maxFeeBps: 12.5 })).toBeUndefined()
    expect(refusalOf({ feeBps: 10_000, priceImpactBps: -10_000 })).toBeUndefined()
  })
})

describe("a rate", () => {
  const six = { decimals: 6 }
  const eighteen = { decimals: 18 }

  it("is told in both directions with at most six digits", () => {
    expect(rateOf(100_000_000n, six, 24_968_750_000_000_000n, eighteen)).toEqual({
      inputPerOutput: "4005.01",
      outputPerInput: "0.000249688"
    })
    expect(rateOf(3n, six, 1n, six)).toEqual({ inputPerOutput: "3", outputPerInput: "0.333333" })
    expect(rateOf(1n, six, 123_456_789n, six)).toEqual({ inputPerOutput: "0.0000000081", outputPerInput: "123457000" })
    expect(rateOf(1_000_000n, six, 999_999_500_000n, six)?.outputPerInput).toBe("1000000")
  })

  it("is not there for nothing", () => {
    expect(rateOf(0n, six, 1n, six)).toBeUndefined()
    expect(rateOf(1n, six, 0n, six)).toBeUndefined()
  })

  it("is right to six digits, for any amounts", () => {
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
