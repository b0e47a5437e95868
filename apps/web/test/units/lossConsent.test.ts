import { expect, test } from "vitest"
import { coversLoss, isHighLoss, lossBound } from "../../src/review/lossConsent.js"

test("isHighLoss checks the size of the loss and the warning of the service", () => {
  expect(isHighLoss({ priceImpactBps: -299 }, 300)).toBe(false)
  expect(isHighLoss({ priceImpactBps: -300 }, 300)).toBe(true)
  expect(isHighLoss({ priceImpactBps: 500 }, 300)).toBe(false)
  expect(isHighLoss({ warnings: [{ code: "HIGH_PRICE_IMPACT", message: "" }] }, 300)).toBe(true)
  expect(lossBound({ priceImpactBps: -484 })).toBe(500)
  expect(lossBound({})).toBe(Number.POSITIVE_INFINITY)
})

test("coversLoss covers the accepted loss and no larger one", () => {
  expect(coversLoss(500, { priceImpactBps: -451 })).toBe(true)
  expect(coversLoss(500, { priceImpactBps: -500 })).toBe(true)
  expect(coversLoss(500, { priceImpactBps: -501 })).toBe(false)
  expect(coversLoss(undefined, { priceImpactBps: -1 })).toBe(false)
})

test("coversLoss does not mix known and unknown losses", () => {
  expect(coversLoss(Infinity, {})).toBe(true)
  expect(coversLoss(Infinity, { priceImpactBps: -3_000 })).toBe(false)
  expect(coversLoss(500, {})).toBe(false)
})
