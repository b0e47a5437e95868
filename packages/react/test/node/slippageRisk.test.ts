import { describe, expect, it } from "vitest"
import { riskOf } from "../../src/query.js"

describe("riskOf", () => {
  it("returns the difference between the output and the minimum", () => {
    expect(riskOf({ output: 1_000_000n, minOutput: 900_000n }, 1_000)).toEqual({
      minimum: 900_000n,
      atRisk: 100_000n,
      bps: 1_000,
      isWide: true
    })
    // Without a minimum in the quote, the requested slippage applies.
    expect(riskOf({ output: 1_000_000n }, 300)).toMatchObject({ minimum: 970_000n, atRisk: 30_000n, isWide: false })
    expect(riskOf({ output: 1_000_000n })).toMatchObject({ minimum: 1_000_000n, atRisk: 0n, isWide: false })
    expect(riskOf({ output: 0n, minOutput: 0n }, 10_000)).toMatchObject({ bps: 0, isWide: true })
  })

  it.each([
    [500, 950_000n, false],
    [500, 949_999n, false],
    [501, 950_000n, true],
    [10_000, 0n, true],
    // The request allows 0.5%, but the quote binds a lower minimum.
    [50, 949_998n, true],
    [undefined, 900_000n, true],
    [undefined, 995_000n, false]
  ])("for a slippage of %s and a minimum of %s returns isWide: %s", (slippageBps, minOutput, isWide) => {
    expect(riskOf({ output: 1_000_000n, minOutput }, slippageBps).isWide).toBe(isWide)
  })

  it("takes the limit from the policy", () => {
    const quoted = { output: 1_000_000n, minOutput: 980_000n }
    expect(riskOf(quoted, 200, { confirmSlippageBps: 100 }).isWide).toBe(true)
    expect(riskOf(quoted, 200, { confirmSlippageBps: 200 }).isWide).toBe(false)
  })
})
