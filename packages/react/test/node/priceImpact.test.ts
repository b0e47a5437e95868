import { describe, expect, it } from "vitest"
import { impactOf } from "../../src/query.js"

describe("impactOf", () => {
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
  ])("returns the impact of %j: %s", (quote, impact) => {
    expect(impactOf(quote)).toBe(impact)
  })

  it("takes the limit from the policy", () => {
    expect(impactOf({ priceImpactBps: -100 }, { highImpactBps: 100 })).toBe("high")
    expect(impactOf({ priceImpactBps: -400 }, { highImpactBps: 500 })).toBe("low")
  })
})
