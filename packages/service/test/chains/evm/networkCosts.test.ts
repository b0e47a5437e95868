import { describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { parseTransaction } from "viem"
import { expect } from "vitest"
import type { MostCostQuery } from "../../../src/chains/Draft.js"
import type { Job } from "../../../src/domain/Job.js"
import { EvmFixture, freshAddress, layer as fixtureLayer, native } from "./fixture.js"

/** The most that a job's transaction can cost, the most that the chain expects, and the offered fee. */
const compared = Effect.fnUntraced(function* (job: Job, query: Omit<MostCostQuery, "kind" | "opensAccount" | "token">) {
  const { chain } = yield* EvmFixture
  yield* TestClock.adjust("1 second")
  const { kind, token } = job
  const expected = yield* chain.mostCostOf({ kind, token, opensAccount: false, ...query })
  const draft = yield* chain.prepare(job)
  const { maxCost = 0n, raw } = yield* chain.sign(draft, 0)
  const { maxFeePerGas = 0n } = parseTransaction(raw as `0x02${string}`)
  return { actual: maxCost, draft, expected, maxFeePerGas }
})

/** Expects the most that a transaction can cost to be covered, but not by far more than necessary. */
const expectCovered = Effect.fnUntraced(function* (job: Job, query: Parameters<typeof compared>[1]) {
  const { actual, expected } = yield* compared(job, query)
  expect(actual).toBeLessThanOrEqual(expected)
  expect(expected).toBeLessThan(2n * actual)
})

describe("the most that a transaction may cost an EVM relayer", () => {
  layer(fixtureLayer, { timeout: 120_000 })((it) => {
    it.effect("covers collections, whether or not the wallet is delegated already", () =>
      Effect.gen(function* () {
        const { chain, collectJob, newWallet, node, send, usdc } = yield* EvmFixture
        const wallet = yield* newWallet(1_000n)
        const first = yield* collectJob(wallet, 100n, { authorizeAt: 0 })
        yield* expectCovered(first, { authorizes: true })
        const query = { kind: "collect", token: usdc, opensAccount: false } as const
        const most = chain.mostCostOf({ ...query, authorizes: true })
        expect(yield* chain.mostCostOf({ ...query, party: wallet.address })).toBe(yield* most)
        yield* send(first)
        yield* node.mine()
        yield* expectCovered(yield* collectJob(wallet, 100n, { nonce: 1n }), { authorizes: false })
        // The collection opens another word of the wallet's nonces.
        yield* expectCovered(yield* collectJob(wallet, 100n, { nonce: 256n }), { authorizes: false })
        const least = yield* chain.mostCostOf({ ...query, authorizes: false })
        expect(yield* chain.mostCostOf({ ...query, party: wallet.address })).toBe(least)
        expect(yield* chain.mostCostOf(query)).toBe(least)
        expect(least).toBeLessThan(yield* most)
      })
    )

    it.effect("covers deliveries and refunds, also to addresses that do not hold the token", () =>
      Effect.gen(function* () {
        const { collectInput, sendJob, usdc } = yield* EvmFixture
        const to = freshAddress()
        yield* expectCovered(sendJob("deliver", usdc, to, 5n), { party: to })
        yield* collectInput(usdc, 1_000n)
        yield* expectCovered(sendJob("refund", usdc, to, 5n), {})
        yield* expectCovered(sendJob("deliver", native, to, 5n), { party: to })
      })
    )

    it.effect("is the gas limit at the offered fee if the gas is known", () =>
      Effect.gen(function* () {
        const { chain, chainWith, sendJob, usdc } = yield* EvmFixture
        for (const token of [usdc, native]) {
          const job = sendJob("deliver", token, freshAddress(), 5n)
          const { gas = 0n } = yield* chain.prepare(job)
          const { actual, expected } = yield* compared(job, { gas })
          expect(expected).toBe(actual)
        }
        const { maxFeePerGas } = yield* compared(sendJob("deliver", usdc, freshAddress(), 5n), {})
        const query = { kind: "deliver", token: usdc, opensAccount: false, gas: 100_000n } as const
        expect(yield* chain.mostCostOf(query)).toBe(125_000n * maxFeePerGas)
        // A quote charges for the gas at the current price, which is lower.
        expect(yield* chain.costOf(query)).toBeLessThan(100_000n * maxFeePerGas)
        const tight = yield* chainWith({ maxFeePerGas: 7n })
        expect(yield* tight.mostCostOf(query)).toBe(125_000n * 7n)
      })
    )
  })
})
