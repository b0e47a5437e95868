import { expect, test } from "vitest"
import { describeSignatures, type Terms } from "../../src/review/describeSignatures.js"

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
  describeSignatures({ ...terms, ...changed })
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
