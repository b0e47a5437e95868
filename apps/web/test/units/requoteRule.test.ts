import { minOutputOf, type QuotePreview } from "@geoswap/core/promise"
import { expect, test } from "vitest"
import { isLess, isWorse } from "../../src/review/requoteRule.js"

/** A quote with these terms. */
const quoteOf = (output: bigint, minOutput?: bigint, totalBps?: number): QuotePreview => ({
  origin: "evm",
  output,
  feeBps: 10,
  expiresAt: new Date(0),
  ...(minOutput !== undefined && { minOutput }),
  costs: { fee: { bps: 1 }, ...(totalBps !== undefined && { total: { bps: totalBps } }) }
})

test("isWorse is true below the accepted minimum and for a weaker minimum", () => {
  const agreed = quoteOf(1_000n, 995n)
  expect(minOutputOf(quoteOf(7n))).toBe(7n)
  expect(isWorse(agreed, quoteOf(995n, 990n))).toBe(false)
  expect(isWorse(agreed, quoteOf(994n, 990n))).toBe(true)
  expect(isWorse(agreed, quoteOf(2_000n, 1_990n))).toBe(false)
  // A higher output, but a far lower minimum.
  expect(isWorse(agreed, quoteOf(2_000n, 100n))).toBe(true)
})

test("isLess is true for a lower output or minimum, not for a new loss alone", () => {
  expect(isLess(quoteOf(1_000n, 995n), quoteOf(999n, 995n))).toBe(true)
  expect(isLess(quoteOf(1_000n, 995n), quoteOf(1_000n, 994n))).toBe(true)
  expect(isLess(quoteOf(1_000n, 995n), quoteOf(2_000n, 1_000n))).toBe(true)
  expect(isLess(quoteOf(1_000n, 995n, 100), quoteOf(1_000n, 995n, 400))).toBe(false)
})
