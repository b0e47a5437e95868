import { describe, expect, it } from "vitest"
import { Quote } from "../../src/index.js"

describe("slippageRisk", () => {
  const { slippageRisk } = Quote

  it("returns the difference between the output and the minimum", () => {
    expect(slippageRisk({ output: 1_000_000n, minOutput: 900_000n }, 1_000)).toEqual({
      minOutput: 900_000n,
      atRisk: 100_000n,
      bps: 1_000,
      isHigh: true
    })
    // Without a minimum in the quote, the requested slippage applies.
    expect(slippageRisk({ output: 1_000_000n }, 300)).toMatchObject({ minOutput: 970_000n, atRisk: 30_000n, bps: 300 })
    expect(slippageRisk({ output: 1_000_000n })).toMatchObject({ minOutput: 1_000_000n, atRisk: 0n, isHigh: false })
    expect(slippageRisk({ output: 0n, minOutput: 0n }, 10_000)).toMatchObject({ bps: 10_000, isHigh: true })
    // A minimum of one unit less is rounding, even if one unit is a large share.
    expect(slippageRisk({ output: 10n, minOutput: 9n }, 50)).toMatchObject({ bps: 50, atRisk: 1n, isHigh: false })
    expect(slippageRisk({ output: 10n, minOutput: 11n }, 50)).toMatchObject({ bps: 50, atRisk: 0n })
  })

  it.each([
    [500, 950_000n, 500, false],
    [500, 949_999n, 500, false],
    [501, 950_000n, 501, true],
    [10_000, 0n, 10_000, true],
    // The request allows 0.5%, but the quote binds a lower minimum.
    [50, 949_998n, 501, true],
    [undefined, 900_000n, 1_000, true],
    [undefined, 995_000n, 50, false]
  ])("for a slippage of %s and a minimum of %s returns %s bps, isHigh: %s", (slippageBps, minOutput, bps, isHigh) => {
    expect(slippageRisk({ output: 1_000_000n, minOutput }, slippageBps)).toMatchObject({ bps, isHigh })
  })

  it("compares the slippage with your own limit", () => {
    const quote = { output: 1_000_000n, minOutput: 980_000n }
    expect([199, 200].map((limit) => slippageRisk(quote, 200, limit).isHigh)).toEqual([true, false])
  })
})
