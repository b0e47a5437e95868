/** Minimum outputs from the policy's own prices. */
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect, vi } from "vitest"
import type { AgentRules } from "../src/agent/PolicyFile.js"
import { demandOf } from "../src/agent/prices.js"
import { pinnedAt } from "../src/agent/tokens.js"
import { makeAgent, pathsOf, rulesOf } from "./agentFixture.js"
import { feedNode } from "./scriptedNode.js"
import { usdc, weth } from "./scriptedServer.js"

vi.setConfig({ testTimeout: 120_000 })

const input = { chainId: 8453, token: usdc }
const output = { chainId: 42161, token: weth }
const feedAddress = "0x71041dddad3595F9CEd3DcCFBe3D1F4b0a16Bb70"

const request = (amount: bigint) => ({
  originChain: 8453,
  destinationChain: 42161,
  inputToken: usdc.toLowerCase(),
  outputToken: weth.toLowerCase(),
  amount,
  walletAddress: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
})

const rulesWith = (pairs: AgentRules["pairs"]): AgentRules => ({
  ...rulesOf("http://127.0.0.1", pathsOf("/none")),
  pairs
})

const demand = (rules: AgentRules, amount: bigint) => {
  const [paid, received] = [pinnedAt(rules, input), pinnedAt(rules, output)]
  if (paid === undefined || received === undefined) throw new Error("The tokens are not pinned.")
  return demandOf(rules, request(amount), [paid, received])
}

/** The minimum for 1,000 USDC, or why a price cannot be used. */
const minOutputOf = (rules: AgentRules) =>
  Effect.map(demand(rules, 1_000_000_000n), ({ least, problem }) => problem ?? least)

const now = () => Math.floor(Date.now() / 1000)

describe("a minimum rate", () => {
  it.effect("is rounded up, and the highest of several applies", () =>
    Effect.gen(function* () {
      const rate = (minRate: string) => ({ input, output, minRate })
      const least = (pairs: AgentRules["pairs"], amount: bigint) =>
        Effect.map(demand(rulesWith(pairs), amount), (found) => found.least)
      expect(yield* least([rate("0.0002")], 1_000_000n)).toBe(200_000_000_000_000n)
      expect(yield* least([rate("0.0002"), rate("0.0003")], 1_000_000n)).toBe(300_000_000_000_000n)
      expect(yield* least([rate("0.0003"), rate("0.0002")], 1_000_000n)).toBe(300_000_000_000_000n)
      expect(yield* least([rate("0.0000000000000000001")], 1n)).toBe(1n)
      expect(yield* least([{ input: output, output: input, minRate: "1" }], 1n)).toBe(0n)
    })
  )

  it.effect("applies even if the price of another pair cannot be used", () =>
    Effect.gen(function* () {
      const prices = { input: { usd: "0" }, output: { usd: "1" } }
      const rules = rulesWith([
        { input, output, minRate: "0.0002" },
        { input, output, prices, maxLossBps: 1 }
      ])
      expect(yield* demand(rules, 1_000_000n)).toEqual({
        least: 200_000_000_000_000n,
        problem: expect.stringContaining("is zero") as unknown
      })
    })
  )
})

describe("a price feed", () => {
  it.live("gives the minimum for the allowed loss, or says why it cannot be used", () =>
    Effect.gen(function* () {
      let feed = { answer: 250_000_000_000n, updatedAt: now() }
      const rpcUrl = yield* feedNode(42161, () => feed)
      const rules = (chainId: number, maxLossBps: number) =>
        rulesWith([
          {
            input,
            output,
            prices: { input: { usd: "1" }, output: { chainId, rpcUrl, address: feedAddress, maxAgeSeconds: 3_600 } },
            maxLossBps
          }
        ])
      // 1,000 USDC at $2,500 is 0.4 WETH.
      expect(yield* minOutputOf(rules(42161, 0))).toBe(400_000_000_000_000_000n)
      expect(yield* minOutputOf(rules(42161, 100))).toBe(396_000_000_000_000_000n)
      expect(yield* minOutputOf(rules(8453, 100))).toContain("is on another chain")
      feed = { answer: 250_000_000_000n, updatedAt: now() - 3_700 }
      expect(yield* minOutputOf(rules(42161, 100))).toContain("is out of date")
      feed = { answer: 250_000_000_000n, updatedAt: now() + 3_700 }
      expect(yield* minOutputOf(rules(42161, 100))).toContain("has a time in the future")
      for (const answer of [0n, -250_000_000_000n]) {
        feed = { answer, updatedAt: now() }
        expect(yield* minOutputOf(rules(42161, 100))).toContain("has no price")
      }
      // A price of zero would demand nothing.
      for (const [paid, received] of [
        ["0", "1"],
        ["1", "0.00"]
      ] as const) {
        const prices = { input: { usd: paid }, output: { usd: received } }
        expect(yield* minOutputOf(rulesWith([{ input, output, prices, maxLossBps: 1 }]))).toContain("is zero")
      }
      const gone = rulesWith([
        {
          input,
          output,
          prices: {
            input: { usd: "1" },
            output: { chainId: 42161, rpcUrl: "http://127.0.0.1:9", address: feedAddress, maxAgeSeconds: 60 }
          },
          maxLossBps: 1
        }
      ])
      expect(yield* minOutputOf(gone)).toContain("cannot be read")
      expect(yield* minOutputOf(rulesWith([]))).toBe(0n)
    })
  )

  it.live("refuses a worse price, and asks a person if it cannot be used", () =>
    Effect.gen(function* () {
      const { paths, scripted, swap, writePolicy } = yield* makeAgent
      // The service gives 1e-12 WETH for one USDC, so WETH costs $1e12.
      let feed = { answer: 10n ** 20n, updatedAt: now() }
      const rpcUrl = yield* feedNode(42161, () => feed)
      const price = { chainId: 42161, rpcUrl, address: feedAddress, maxAgeSeconds: 3_600 }
      yield* writePolicy({
        pairs: [{ input, output, prices: { input: { usd: "1" }, output: price }, maxLossBps: 600 }]
      })
      expect(paths.policy).toContain("policy.json")
      expect(yield* swap("1")).toMatchObject({ code: 0 })
      feed = { answer: 10n ** 19n, updatedAt: now() }
      expect(yield* swap("1")).toMatchObject({
        code: 3,
        answer: { error: { message: expect.stringContaining("minOutput") as unknown } }
      })
      feed = { answer: 10n ** 20n, updatedAt: now() - 7_200 }
      expect(yield* swap("1")).toMatchObject({
        code: 3,
        answer: { error: { approvalId: expect.any(String) as unknown } }
      })
      expect(scripted.paid()).toEqual([1_000_000n])
    })
  )
})
