import type { QuotePreview } from "@geoswap/core/promise"
import { expect, test } from "vitest"
import { createConsent } from "../../src/review/consent.js"

/** A quote with these terms. */
const quoteOf = (output: bigint, minOutput?: bigint, totalBps?: number): QuotePreview => ({
  origin: "evm",
  output,
  feeBps: 10,
  expiresAt: new Date(0),
  ...(minOutput !== undefined && { minOutput }),
  costs: { fee: { bps: 1 }, ...(totalBps !== undefined && { total: { bps: totalBps } }) }
})

test("asks about a loss that is larger than the accepted one", async () => {
  const consent = createConsent()
  expect(await consent.onHighCost(quoteOf(1n, 1n, 400))).toBe(false)
  consent.start(quoteOf(1_000n, 995n, 480), 500)
  expect(await consent.onHighCost(quoteOf(999n, 994n, 499))).toBe(true)
  const answer = consent.onHighCost(quoteOf(900n, 895n, 600))
  expect(consent.question.get()).toMatchObject({ previous: { output: 1_000n }, offered: { output: 900n } })
  consent.question.get()?.answer(true)
  expect(await answer).toBe(true)
  // A quote that was just accepted is not asked about again.
  expect(await consent.acceptRequote(quoteOf(1_000n, 995n, 480), quoteOf(900n, 895n, 600))).toBe(true)
  expect(consent.question.get()).toBeUndefined()
})

test("declines a question that is not answered", async () => {
  const consent = createConsent()
  let notifications = 0
  const stop = consent.question.subscribe(() => {
    notifications += 1
  })
  consent.start(quoteOf(1_000n, 995n), undefined)
  const first = consent.acceptRequote(quoteOf(1_000n, 995n), quoteOf(900n, 895n))
  const second = consent.acceptRequote(quoteOf(1_000n, 995n), quoteOf(800n, 795n))
  consent.end()
  expect([await first, await second]).toEqual([false, false])
  expect(consent.question.get()).toBeUndefined()
  expect(notifications).toBeGreaterThan(1)
  stop()
})

test("asks about a loss that was unknown when it was accepted", async () => {
  const consent = createConsent()
  consent.start(quoteOf(1_000n, 995n), Infinity)
  expect(await consent.onHighCost(quoteOf(1_000n, 995n))).toBe(true)
  const answer = consent.onHighCost(quoteOf(1_000n, 995n, 3_000))
  consent.question.get()?.answer(false)
  expect(await answer).toBe(false)
})

test("asks about a loss even if the price was accepted", async () => {
  const consent = createConsent()
  consent.start(quoteOf(1_000n, 995n), undefined)
  const price = consent.acceptRequote(quoteOf(1_000n, 995n), quoteOf(900n, 895n))
  consent.question.get()?.answer(true)
  expect(await price).toBe(true)
  const first = consent.onHighCost(quoteOf(900n, 895n))
  expect(consent.question.get()).toBeDefined()
  consent.question.get()?.answer(true, Infinity)
  expect(await first).toBe(true)
  // Accepted now, so not asked again.
  expect(await consent.onHighCost(quoteOf(900n, 895n))).toBe(true)
  expect(consent.question.get()).toBeUndefined()
})
