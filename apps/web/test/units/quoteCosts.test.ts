import { expect, test } from "vitest"
import { costsOf } from "../../src/form/quoteCosts.js"
import { formatDollars } from "../../src/format/amounts.js"

const units = (usdc: number) => BigInt(Math.round(usdc * 1e6))

/** What the service returns for an input in dollars: cents, and whole basis points. */
const quoteOf = (paid: number, received: number) => ({
  feeBps: 8,
  networkCost: 606n,
  inputUsd: paid.toFixed(2),
  outputUsd: received.toFixed(2),
  priceImpactBps: Math.round(((received - paid) / paid) * 10_000)
})

test.each([
  [20_000, 19_975.62, "$24.38"],
  [10_000, 9_989.9, "$10.10"],
  [9_000, 8_991.1, "$8.90"],
  [100, 99.92, "$0.08"],
  [5, 4.9, "$0.10"]
])("costsOf of %d dollars for %d is the difference, and the parts add up to it", (paid, received, total) => {
  const costs = costsOf(quoteOf(paid, received), units(paid))
  expect(formatDollars(costs.total?.usd ?? 0)).toBe(total)
  const [whole = Number.NaN, ...parts] = [costs.total, costs.fee, costs.network, costs.impact].map((cost) => cost?.usd)
  const sum = parts.reduce<number>((before, part) => before + (part ?? Number.NaN), 0)
  expect(Math.abs(sum - whole)).toBeLessThan(0.01)
  expect(formatDollars(costs.network?.usd ?? 0)).toBe("<$0.01")
})

test("costsOf reports no price impact within the rounding of the values", () => {
  expect(costsOf(quoteOf(100, 99.92), units(100)).impact).toEqual({ bps: 0, usd: 0 })
  expect(costsOf(quoteOf(20_000, 19_984), units(20_000)).impact).toEqual({ bps: 0, usd: 0 })
})

test("costsOf uses the service's share if the values contradict it or show no difference", () => {
  expect(costsOf({ ...quoteOf(100, 99.92), priceImpactBps: -500 }, units(100)).total).toEqual({ bps: 500, usd: 5 })
  expect(costsOf({ ...quoteOf(1, 1), priceImpactBps: -14 }, units(1)).total?.usd).toBeCloseTo(0.0014)
})

test("costsOf knows no total without the service's share", () => {
  const { priceImpactBps: _, ...rest } = quoteOf(100, 99.92)
  expect(costsOf(rest, units(100))).toMatchObject({ impact: undefined, total: undefined })
})
