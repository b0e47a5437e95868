import { expect, test } from "vitest"
import { coversLoss, lossBound } from "../../src/review/lossConsent.js"

const unknown = { costs: { fee: { bps: 1 } } }
const costing = (bps: number) => ({ costs: { ...unknown.costs, total: { bps } } })

test("lossBound rounds the total cost up, and is infinite for an unknown cost", () => {
  expect(lossBound(costing(484))).toBe(500)
  expect(lossBound(costing(-484))).toBe(0)
  expect(lossBound(unknown)).toBe(Number.POSITIVE_INFINITY)
})

test("coversLoss covers the accepted loss and no larger one", () => {
  expect(coversLoss(500, costing(451))).toBe(true)
  expect(coversLoss(500, costing(500))).toBe(true)
  expect(coversLoss(500, costing(501))).toBe(false)
  expect(coversLoss(undefined, costing(1))).toBe(false)
})

test("coversLoss does not mix known and unknown losses", () => {
  expect(coversLoss(Infinity, unknown)).toBe(true)
  expect(coversLoss(Infinity, costing(3_000))).toBe(false)
  expect(coversLoss(500, unknown)).toBe(false)
})
