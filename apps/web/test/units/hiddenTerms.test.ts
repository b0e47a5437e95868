import type { PaymentPreview } from "@geoswap/core/promise"
import { expect, test } from "vitest"
import type { Config } from "../../src/config.js"
import { describeHidden } from "../../src/progress/hiddenTerms.js"

const chainOf = (id: number, name: string, symbol: string, address: string, decimals: number) => ({
  id,
  name,
  family: "evm" as const,
  native: { symbol: "ETH", decimals: 18 },
  tokens: [{ symbol, address, decimals }],
  deployment: { vault: "0x7a17" }
})
const config: Config = {
  service: "/web/api",
  chains: [chainOf(1, "here", "USDC", "0x1", 6), chainOf(2, "there", "WETH", "0x2", 18)]
}
const payment: PaymentPreview = {
  method: "eip3009",
  shows: "amount",
  signatures: 1,
  chainId: 1,
  token: "0x1",
  amount: 1_500_000n,
  terms: { destinationChain: 2, outputToken: "0x2", recipient: "0xabc", minOutput: 24_875_000_000_000_001n }
}

test("shows the terms that the wallet cannot show", () => {
  expect(describeHidden(payment, "Foxglove", config)).toBe(
    "Foxglove cannot show what you receive. This page has verified that the signature commits to at least 0.024875000000000001\u00a0WETH on there to 0xabc."
  )
  expect(describeHidden({ ...payment, method: "delegation", shows: "hash" }, "Foxglove", config)).toBe(
    "Foxglove shows only a hash. This page has verified that it stands for a payment of exactly 1.5\u00a0USDC for at least 0.024875000000000001\u00a0WETH on there to 0xabc."
  )
})

test("repeats nothing that the wallet shows", () => {
  expect(describeHidden({ ...payment, method: "permit2", shows: "terms" }, "Foxglove", config)).toBeUndefined()
})

test("shows amounts of unknown tokens in their smallest unit", () => {
  const terms = { ...payment.terms, outputToken: "0x3" }
  expect(describeHidden({ ...payment, terms }, "Foxglove", config)).toContain("24875000000000001 units of 0x3 on there")
})
