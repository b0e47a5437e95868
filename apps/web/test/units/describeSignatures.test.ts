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

/** All descriptions as one string. */
const descriptions = (changed: Partial<Terms>): string =>
  describeSignatures({ ...terms, ...changed })
    .map(({ text, title }) => `${title}: ${text}`)
    .join("\n")

test("shows amounts to the last digit", () => {
  expect(descriptions({})).toBe(
    "An operation: It pays exactly 100 USDC on here for at least 0.024875000000000001 WETH on there to 0xabc. It allows nothing else."
  )
})

test("names the contract of a delegation and whether it is pinned", () => {
  const delegate = { address: "0xde1e", pinned: true }
  expect(descriptions({ delegate })).toMatch(
    /^A delegation: You sign this once. It lets the contract 0xde1e \(pinned by this page\) act for Foxglove/
  )
  expect(descriptions({ delegate: { ...delegate, pinned: false } })).toContain("NOT pinned: it will be refused")
  // Solana needs no delegation.
  expect(descriptions({ delegate, family: "solana" })).toMatch(/^A transaction: It pays exactly 100 USDC/)
})
