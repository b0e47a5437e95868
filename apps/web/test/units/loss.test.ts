import type { QuotePreview } from "@geoswap/core/promise"
import { expect, test } from "vitest"
import { isLess } from "../../src/review/agreement.js"
import { createConsent } from "../../src/review/consent.js"
import { covers } from "../../src/review/impact.js"

const offer = (output: bigint, minOutput: bigint, priceImpactBps?: number): QuotePreview => ({
  origin: "evm",
  output,
  minOutput,
  feeBps: 10,
  expiresAt: new Date(0),
  ...(priceImpactBps !== undefined && { priceImpactBps })
})

test("a consent covers the loss that it named, and no larger one", () => {
  expect(covers(500, { priceImpactBps: -451 })).toBe(true)
  expect(covers(500, { priceImpactBps: -500 })).toBe(true)
  expect(covers(500, { priceImpactBps: -501 })).toBe(false)
  expect(covers(undefined, { priceImpactBps: -1 })).toBe(false)
})

test("a consent to an unknown loss covers no known one, nor the other way round", () => {
  expect(covers(Infinity, {})).toBe(true)
  expect(covers(Infinity, { priceImpactBps: -3_000 })).toBe(false)
  expect(covers(500, {})).toBe(false)
})

test("somebody who accepted an unknown loss is asked once it is known", async () => {
  const consent = createConsent()
  consent.begin(offer(1_000n, 995n), Infinity)
  expect(await consent.onHighImpact(offer(1_000n, 995n))).toBe(true)
  const asked = consent.onHighImpact(offer(1_000n, 995n, -3_000))
  consent.question()?.answer(false)
  expect(await asked).toBe(false)
})

test("accepting a price accepts no loss that was not ticked", async () => {
  const consent = createConsent()
  consent.begin(offer(1_000n, 995n), undefined)
  const price = consent.acceptRequote(offer(1_000n, 995n), offer(900n, 895n))
  consent.question()?.answer(true)
  expect(await price).toBe(true)
  const first = consent.onHighImpact(offer(900n, 895n))
  expect(consent.question()).toBeDefined()
  consent.question()?.answer(true, Infinity)
  expect(await first).toBe(true)
  // Ticked now, and not asked again.
  expect(await consent.onHighImpact(offer(900n, 895n))).toBe(true)
  expect(consent.question()).toBeUndefined()
})

test("a price is less where it gives less or promises less, and not where only a loss is new", () => {
  expect(isLess(offer(1_000n, 995n), offer(999n, 995n))).toBe(true)
  expect(isLess(offer(1_000n, 995n), offer(1_000n, 994n))).toBe(true)
  expect(isLess(offer(1_000n, 995n), offer(2_000n, 1_000n))).toBe(true)
  expect(isLess(offer(1_000n, 995n, -100), offer(1_000n, 995n, -400))).toBe(false)
})
