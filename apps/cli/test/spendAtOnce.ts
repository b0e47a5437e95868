/** Spends a budget from several processes at once. */
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import type { Agent } from "./agentFixture.js"
import { call, connectStdio } from "./mcpFixture.js"

/** Makes this many swaps with each of two servers, and one on the command line. The budget is 100 USDC. */
export const spendAtOnce = Effect.fnUntraced(function* (
  { scripted, swap, workspace }: Agent,
  { amount, calls }: { readonly amount: number; readonly calls: number }
) {
  const affordable = Math.floor(100 / amount)
  const server = (name: string) =>
    Effect.flatMap(connectStdio({ workspace, flags: [] }), (connection) =>
      Effect.all(
        Array.from({ length: calls }, (_, at) =>
          Effect.map(
            call(connection, "execute_swap", {
              amount: String(amount),
              from: "usdc@base",
              to: "weth@arbitrum",
              idempotencyKey: `${name}-${at}`
            }),
            ({ value }) => value.swap?.status ?? value.error?.["rule"] ?? value.error?.code
          )
        ),
        { concurrency: "unbounded" }
      )
    )
  const [one, other, own] = yield* Effect.all([server("one"), server("other"), swap(String(amount))], {
    concurrency: "unbounded"
  })
  const results = [...one, ...other]
  // Nothing but the budget refuses.
  expect(new Set(results)).toEqual(new Set(["settled", "budgets"]))
  expect(results.filter((result) => result === "settled").length + (own.code === 0 ? 1 : 0)).toBe(affordable)
  expect(scripted.paid()).toEqual(Array.from({ length: affordable }, () => BigInt(amount) * 1_000_000n))
})
