import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { quoteInput } from "../../src/http/quoteInput.js"
import { QuoteRequest } from "../../src/http/requestSchemas.js"

const bySchema = Schema.decodeUnknownSync(QuoteRequest)

const usual = {
  originChain: 31_337,
  destinationChain: 1,
  inputToken: `0x${"A".repeat(40)}`,
  outputToken: "So11111111111111111111111111111111111111112",
  amount: "10000000",
  walletAddress: `0x${"b".repeat(40)}`
}

describe("a quote request", () => {
  it("is decoded exactly as the schema decodes it", () => {
    for (const body of [
      usual,
      { ...usual, recipient: "x" },
      { ...usual, amount: `${2n ** 256n - 1n}`, originChain: Number.MAX_SAFE_INTEGER },
      { ...usual, inputToken: "y".repeat(128), unknown: { field: [1] } }
    ]) {
      const input = quoteInput(body)
      expect(input).toBeDefined()
      expect(input).toEqual(bySchema(body))
    }
  })

  it("is left to the schema if it has rare or invalid fields", () => {
    const others: ReadonlyArray<Readonly<Record<string, unknown>>> = [
      { indicative: false },
      { indicative: "true" },
      { slippageBps: 50 },
      { slippageBps: -1 },
      { originChain: "1" },
      { originChain: 0 },
      { originChain: 1.5 },
      { destinationChain: 2 ** 53 },
      { destinationChain: undefined },
      { inputToken: "" },
      { inputToken: "y".repeat(129) },
      { outputToken: 1 },
      { walletAddress: undefined },
      { recipient: "" },
      { recipient: 1 },
      { recipient: "y".repeat(129) },
      { amount: 10 },
      { amount: "" },
      { amount: "0" },
      { amount: "01" },
      { amount: "-1" },
      { amount: "1e3" },
      { amount: "1 " },
      { amount: "1\n" },
      { amount: `${2n ** 256n}` },
      { amount: "1".repeat(79) }
    ]
    for (const other of others) expect(quoteInput({ ...usual, ...other })).toBe(undefined)
  })
})
