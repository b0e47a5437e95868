import { describe, expect, it } from "vitest"
import { refusalOf } from "../../src/query.js"

const quote = { feeBps: 12.5, costs: { fee: { bps: 12.5 } } }
const costing = (bps: number) => ({ ...quote, costs: { ...quote.costs, total: { bps } } })

describe("refusalOf", () => {
  it("names the value and the limit", () => {
    expect(refusalOf(costing(420), { maxTotalCostBps: 300 })).toBe("The total cost is 4.2%. The maximum is 3%.")
    expect(refusalOf(quote, { maxFeeBps: 10 })).toBe("The fee is 0.125%. The maximum is 0.1%.")
    expect(refusalOf(quote, { maxTotalCostBps: 300 })).toBe(
      "The total cost of the quote is unknown. The maximum is 3%."
    )
    expect(refusalOf({ ...quote, feeBps: Number.NaN }, { maxFeeBps: 10 })).toContain("The fee is NaN%")
  })

  it("returns undefined within the limits and without limits", () => {
    expect(refusalOf(costing(300), { maxTotalCostBps: 300, maxFeeBps: 12.5 })).toBeUndefined()
    expect(refusalOf({ ...costing(10_000), feeBps: 10_000 })).toBeUndefined()
  })
})
