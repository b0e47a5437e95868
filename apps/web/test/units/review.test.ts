import { expect, test } from "vitest"
import { isWorse, minimumOf } from "../../src/review/agreement.js"
import { createConsent } from "../../src/review/consent.js"
import { boundOf, isHigh } from "../../src/review/impact.js"
import { signaturesOf, type Terms } from "../../src/review/signatures.js"

type Offer = Parameters<ReturnType<typeof createConsent>["begin"]>[0]

const offer = (output: bigint, minOutput?: bigint, priceImpactBps?: number): Offer => ({
  origin: "evm",
  output,
  feeBps: 10,
  expiresAt: new Date(0),
  ...(minOutput !== undefined && { minOutput }),
  ...(priceImpactBps !== undefined && { priceImpactBps })
})

test("a price is worse below the minimum that somebody saw, or with a weaker minimum", () => {
  const agreed = offer(1_000n, 995n)
  expect(minimumOf(offer(7n))).toBe(7n)
  expect(isWorse(agreed, offer(995n, 990n))).toBe(false)
  expect(isWorse(agreed, offer(994n, 990n))).toBe(true)
  expect(isWorse(agreed, offer(2_000n, 1_990n))).toBe(false)
  // Much more, of which next to nothing is promised.
  expect(isWorse(agreed, offer(2_000n, 100n))).toBe(true)
})

test("a loss is high by its size or by the service's own warning", () => {
  expect(isHigh({ priceImpactBps: -299 }, 300)).toBe(false)
  expect(isHigh({ priceImpactBps: -300 }, 300)).toBe(true)
  expect(isHigh({ priceImpactBps: 500 }, 300)).toBe(false)
  expect(isHigh({ warnings: [{ code: "HIGH_PRICE_IMPACT", message: "" }] }, 300)).toBe(true)
  expect(boundOf({ priceImpactBps: -484 })).toBe(500)
  expect(boundOf({})).toBe(Number.POSITIVE_INFINITY)
})

test("a consent to a loss covers that loss and no larger one", async () => {
  const consent = createConsent()
  expect(await consent.onHighImpact(offer(1n, 1n, -400))).toBe(false)
  consent.begin(offer(1_000n, 995n, -480), 500)
  expect(await consent.onHighImpact(offer(999n, 994n, -499))).toBe(true)
  const asked = consent.onHighImpact(offer(900n, 895n, -600))
  expect(consent.question()).toMatchObject({ previous: { output: 1_000n }, offered: { output: 900n } })
  consent.question()?.answer(true)
  expect(await asked).toBe(true)
  // What was just agreed to is not asked about a second time.
  expect(await consent.acceptRequote(offer(1_000n, 995n, -480), offer(900n, 895n, -600))).toBe(true)
  expect(consent.question()).toBeUndefined()
})

test("a question that nobody answers is a no", async () => {
  const consent = createConsent()
  let told = 0
  const stop = consent.subscribe(() => {
    told += 1
  })
  consent.begin(offer(1_000n, 995n), undefined)
  const first = consent.acceptRequote(offer(1_000n, 995n), offer(900n, 895n))
  const second = consent.acceptRequote(offer(1_000n, 995n), offer(800n, 795n))
  consent.end()
  expect([await first, await second]).toEqual([false, false])
  expect(consent.question()).toBeUndefined()
  expect(told).toBeGreaterThan(1)
  stop()
})

const terms: Terms = {
  family: "evm",
  wallet: "Foxglove",
  origin: "here",
  destination: "there",
  input: { symbol: "USDC", decimals: 6 },
  output: { symbol: "WETH", decimals: 18 },
  amount: 100_000_000n,
  recipient: "0xabc",
  quote: { output: 25_000_000_000_000_001n, minOutput: 24_875_000_000_000_001n }
}

/** Everything that is to be signed, as one text. */
const words = (changed: Partial<Terms>): string =>
  signaturesOf({ ...terms, ...changed })
    .map(({ text, title }) => `${title}: ${text}`)
    .join("\n")

test("what is signed is said to the last digit", () => {
  expect(words({})).toBe(
    "An operation: It pays exactly 100 USDC on here for at least 0.024875000000000001 WETH on there to 0xabc. Nothing else can be done with it."
  )
})

test("a delegation is named with its contract, and whether the page knows that", () => {
  const delegate = { address: "0xde1e", pinned: true }
  expect(words({ delegate })).toMatch(/^A delegation: Once, Foxglove lets the contract 0xde1e \(pinned by this page\)/)
  expect(words({ delegate: { ...delegate, pinned: false } })).toContain("NOT pinned: it will be refused")
  // On Solana there is nothing to delegate.
  expect(words({ delegate, family: "solana" })).toMatch(/^A transaction: It pays exactly 100 USDC/)
})
