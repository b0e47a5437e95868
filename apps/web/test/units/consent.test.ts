import type { QuotePreview } from "@geoswap/core/promise"
import { expect, test } from "vitest"
import { createConsent } from "../../src/review/consent.js"

/** A quote with these terms. */
const quoteOf = (output: bigint, minOutput?: bigint, priceImpactBps?: number): QuotePreview => ({
  origin: "evm",
  output,
  feeBps: 10,
  expiresAt: new Date(0),
  ...(minOutput !== undefined && { minOutput }),
  ...(priceImpactBps !== undefined && { priceImpactBps })
})

test("a consent to a loss covers that loss and no larger one", async () => {
  const consent = createConsent()
  expect(await consent.onHighImpact(quoteOf(1n, 1n, -400))).toBe(false)
  consent.begin(quoteOf(1_000n, 995n, -480), 500)
  expect(await consent.onHighImpact(quoteOf(999n, 994n, -499))).toBe(true)
  const asked = consent.onHighImpact(quoteOf(900n, 895n, -600))
  expect(consent.question()).toMatchObject({ previous: { output: 1_000n }, offered: { output: 900n } })
  consent.question()?.answer(true)
  expect(await asked).toBe(true)
  // What was just agreed to is not asked about a second time.
  expect(await consent.acceptRequote(quoteOf(1_000n, 995n, -480), quoteOf(900n, 895n, -600))).toBe(true)
  expect(consent.question()).toBeUndefined()
})

test("a question that nobody answers is a no", async () => {
  const consent = createConsent()
  let told = 0
  const stop = consent.subscribe(() => {
    told += 1
  })
  consent.begin(quoteOf(1_000n, 995n), undefined)
  const first = consent.acceptRequote(quoteOf(1_000n, 995n), quoteOf(900n, 895n))
  const second = consent.acceptRequote(quoteOf(1_000n, 995n), quoteOf(800n, 795n))
  consent.end()
  expect([await first, await second]).toEqual([false, false])
  expect(consent.question()).toBeUndefined()
  expect(told).toBeGreaterThan(1)
  stop()
})

test("somebody who accepted an unknown loss is asked once it is known", async () => {
  const consent = createConsent()
  consent.begin(quoteOf(1_000n, 995n), Infinity)
  expect(await consent.onHighImpact(quoteOf(1_000n, 995n))).toBe(true)
  const asked = consent.onHighImpact(quoteOf(1_000n, 995n, -3_000))
  consent.question()?.answer(false)
  expect(await asked).toBe(false)
})

test("accepting a price accepts no loss that was not ticked", async () => {
  const consent = createConsent()
  consent.begin(quoteOf(1_000n, 995n), undefined)
  const price = consent.acceptRequote(quoteOf(1_000n, 995n), quoteOf(900n, 895n))
  consent.question()?.answer(true)
  expect(await price).toBe(true)
  const first = consent.onHighImpact(quoteOf(900n, 895n))
  expect(consent.question()).toBeDefined()
  consent.question()?.answer(true, Infinity)
  expect(await first).toBe(true)
  // Ticked now, and not asked again.
  expect(await consent.onHighImpact(quoteOf(900n, 895n))).toBe(true)
  expect(consent.question()).toBeUndefined()
})
