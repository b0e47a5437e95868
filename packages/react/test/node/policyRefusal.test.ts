import { describe, expect, it } from "vitest"
import { refusalOf } from "../../src/query.js"

const quote = { feeBps: 12.5 }

describe("refusalOf", () => {
  it("names the value and the limit", () => {
    expect(refusalOf({ ...quote, priceImpactBps: -420 }, { maxPriceImpactBps: 300 })).toBe(
      "The price impact is 4.2%. The maximum is 3%."
    )
    expect(refusalOf(quote, { maxFeeBps: 10 })).toBe("The fee is 0.125%. The maximum is 0.1%.")
    expect(refusalOf(quote, { maxPriceImpactBps: 300 })).toBe(
      "The quote does not state its price impact. The maximum is 3%."
    )
    expect(refusalOf({ feeBps: Number.NaN }, { maxFeeBps: 10 })).toContain("The fee is NaN%")
  })

  it("returns undefined within the limits and without limits", () => {
    expect(refusalOf({ ...quote, priceImpactBps: -300 }, { maxPriceImpactBps: 300, maxFeeBps: 12.5 })).toBeUndefined()
    expect(refusalOf({ feeBps: 10_000, priceImpactBps: -10_000 })).toBeUndefined()
  })
})
