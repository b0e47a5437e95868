import type { QuotePreview } from "@geoswap/core/promise"
import type { UseSwapResult } from "@geoswap/react"
import { expect, test } from "vitest"
import { outcomeOf } from "../../src/progress/outcome.js"
import type { Config } from "../../src/config.js"
import { withAgreedPrice, summarizeSwap } from "../../src/swapSummary.js"

const summary = {
  from: { chainId: 1, chain: "here", symbol: "USDC", amount: "100" },
  to: { chainId: 2, chain: "there", symbol: "WETH", amount: "0.025" },
  recipient: "0x1"
}

const request = {
  originChain: 1,
  destinationChain: 2,
  inputToken: "0x1",
  outputToken: "0x2",
  amount: 100n,
  walletAddress: "0x3"
}

const config: Config = {
  service: "/web/api",
  chains: [
    {
      id: 1,
      name: "here",
      family: "evm",
      native: { symbol: "ETH", decimals: 18 },
      tokens: [{ symbol: "USDC", address: "0x1", decimals: 6 }],
      deployment: { vault: "0xba17" }
    }
  ]
}

test("summarizeSwap uses configured tokens, and smallest units for unknown tokens", () => {
  const shown = summarizeSwap({ ...request, destinationChain: 1, amount: 1_500_000n }, 2_000_000n, config)
  expect(shown.from).toEqual({ chainId: 1, chain: "here", symbol: "USDC", amount: "1.5", decimals: 6 })
  expect(shown.to).toEqual({ chainId: 1, chain: "here", symbol: "0x2", amount: "2000000 units of" })
  expect(summarizeSwap(request, 5n, config).to).toMatchObject({ chain: "chain 2", amount: "5 units of" })
})

type Event = UseSwapResult["events"][number]["event"]

const price = (output: bigint): QuotePreview => ({
  origin: "evm",
  output,
  feeBps: 10,
  costs: { fee: { bps: 10 } },
  expiresAt: new Date(0)
})
const quoted = (output: bigint): Event => ({ type: "quoted", request, quote: price(output) })
const requoted = (before: bigint, output: bigint, count = 1): Event => ({
  type: "requoted",
  quote: price(output),
  previous: price(before),
  count
})
const built: Event = { type: "built", family: "evm" }

/** The output amount of a swap with these events. */
const amountAfter = (...events: ReadonlyArray<Event>): string =>
  withAgreedPrice(
    summary,
    events.map((event, at) => ({ event, at })),
    { decimals: 3 }
  ).to.amount

test("withAgreedPrice uses the output of the last agreed quote", () => {
  expect(amountAfter(quoted(26n), built)).toBe("0.026")
  expect(amountAfter(quoted(26n), requoted(26n, 24n), built)).toBe("0.024")
  expect(
    amountAfter(quoted(26n), requoted(26n, 24n), requoted(24n, 23n, 2), built, { type: "signed", flowId: "flow-1" })
  ).toBe("0.023")
})

test("withAgreedPrice ignores a requote that is not accepted yet", () => {
  expect(amountAfter(quoted(26n), requoted(26n, 24n))).toBe("0.026")
  expect(amountAfter(quoted(26n), requoted(26n, 24n), requoted(24n, 23n, 2))).toBe("0.024")
})

test("withAgreedPrice keeps the amount of a resumed swap", () => {
  expect(amountAfter()).toBe("0.025")
  expect(amountAfter({ type: "submitted", flowId: "flow-1", swap: { swapId: "swap-1", status: "pending" } })).toBe(
    "0.025"
  )
})

test("withAgreedPrice changes only the output amount, which the outcome shows", () => {
  const events = [quoted(26n), requoted(26n, 24n), built].map((event, at) => ({ event, at }))
  const updated = withAgreedPrice(summary, events, { decimals: 3 })
  expect(updated).toEqual({ ...summary, to: { ...summary.to, amount: "0.024" } })
  expect(outcomeOf({ swapId: "swap-1", status: "settled" }, updated)?.title).toMatch(/^0\.024\u00a0WETH delivered/)
})
