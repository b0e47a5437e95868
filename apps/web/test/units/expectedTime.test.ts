import { expect, test } from "vitest"
import type { Config } from "../../src/config.js"
import { expectedSeconds } from "../../src/progress/expectedTime.js"

const chainOf = (id: number, family: "evm" | "solana", finality?: Config["chains"][number]["finality"]) => ({
  id,
  name: `${id}`,
  family,
  native: { symbol: "ETH", decimals: 18 },
  tokens: [],
  deployment: { vault: "0x1" },
  ...(finality !== undefined && { finality })
})
const config = {
  chains: [
    chainOf(1, "evm", { blocks: 2 }),
    chainOf(8453, "evm", { seconds: 24 }),
    chainOf(7, "solana"),
    chainOf(31337, "evm", { blocks: 1 }),
    chainOf(10, "evm", "finalized")
  ]
}

const leg = (chainId: number) => ({ chainId, chain: "", symbol: "", amount: "1" })
const took = (from: number, to: number, seconds: number, status: "settled" | "refunded" = "settled") => ({
  status,
  trip: { from: leg(from), to: leg(to), recipient: "" },
  beganAt: 0,
  endedAt: seconds * 1_000
})

test("expectedSeconds adds up the blocks of known chains", () => {
  expect(expectedSeconds(config, 1, 8453, [])).toBe(12 * 3 + 2 + 5)
  expect(expectedSeconds(config, 7, 1, [])).toBe(13 + 12 + 5)
  expect(expectedSeconds(config, 8453, 7, [])).toBe(2 + 24 + 2 + 5)
  expect(expectedSeconds(config, 10, 7, [])).toBeUndefined()
})

test("expectedSeconds prefers the median of past deliveries, and does not guess", () => {
  const past = [
    took(31337, 7, 9),
    took(31337, 7, 400, "refunded"),
    took(31337, 7, 30),
    took(31337, 7, 11),
    took(7, 31337, 1)
  ]
  expect(expectedSeconds(config, 31337, 7, past)).toBe(11)
  // One delivery is enough for a chain with unknown block times, but not for a known one.
  expect(expectedSeconds(config, 31337, 7, past.slice(0, 2))).toBe(9)
  expect(expectedSeconds(config, 7, 1, [took(7, 1, 900)])).toBe(13 + 12 + 5)
  expect(expectedSeconds(config, 31337, 7, past.slice(1, 2))).toBeUndefined()
  expect(expectedSeconds(config, 1, 2, [])).toBeUndefined()
})
