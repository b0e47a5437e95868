import { describe, layer } from "@effect/vitest"
import { Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import type { Address, Hash } from "viem"
import { expect } from "vitest"
import type { Chain } from "../../../src/chains/Chains.js"
import type { Draft } from "../../../src/chains/Draft.js"
import type { Job } from "../../../src/domain/Job.js"
import type { Attempt } from "../../../src/domain/SwapRecord.js"
import { EvmFixture, freshAddress, layer as fixtureLayer } from "./fixture.js"

/** The fixture's chain, what transactions cost according to anvil, and functions to send jobs together. */
const costing = Effect.gen(function* () {
  const fixture = yield* EvmFixture
  const { chain, client, nextNonce, sendJob, usdc } = fixture
  /** What a receipt shows, for a transaction that settled this many swaps, one of which has this part of the cost. */
  const costOf = (hash: string, settled: number, partOf: (cost: bigint) => bigint) =>
    Effect.promise(async () => {
      const { effectiveGasPrice, gasUsed } = await client.getTransactionReceipt({ hash: hash as Hash })
      const cost = gasUsed * effectiveGasPrice
      expect(cost).toBeGreaterThan(0n)
      return { hash, gasUsed, gasPrice: effectiveGasPrice, cost, settled, share: partOf(cost) }
    })
  const delivery = (token: Address = usdc): Job => sendJob("deliver", token, freshAddress(), 5n)
  const sign = Effect.fnUntraced(function* (jobs: ReadonlyArray<Job>) {
    yield* TestClock.adjust("1 second")
    const [first, ...others] = yield* Effect.forEach(jobs, (job) => chain.prepare(job))
    if (first === undefined) return yield* Effect.die("There are no jobs.")
    const drafts: readonly [Draft, ...ReadonlyArray<Draft>] = [first, ...others]
    const combined = yield* chain.combine(drafts, chain.relayers)
    return yield* chain.sign(combined, yield* nextNonce)
  })
  /** A token that the vault can deliver and that can be paused. */
  const pausable = Effect.gen(function* () {
    const { deployPausable, mint, setCap, vault } = fixture
    const token = yield* deployPausable
    yield* mint(token, vault, 1_000n)
    yield* setCap(token, 2n ** 200n)
    return token
  })
  return { ...fixture, costOf, delivery, pausable, sign }
})

const costsOf = (chain: Chain, job: Job, attempts: ReadonlyArray<Attempt>) =>
  Effect.map(chain.observe(job, attempts), (outcome) =>
    outcome._tag === "Done" || outcome._tag === "Dead" ? outcome.costs : outcome._tag
  )

const whole = (cost: bigint) => cost
const nothing = () => 0n

describe("what transactions cost on an EVM chain", () => {
  layer(fixtureLayer, { timeout: 240_000 })((it) => {
    it.effect("is what the receipt of a separate transaction shows, once it is final", () =>
      Effect.gen(function* () {
        const { chain, collectJob, costOf, delivery, newWallet, node, send } = yield* costing
        const jobs = [yield* collectJob(yield* newWallet(7n), 7n, { authorizeAt: 0 }), delivery()]
        for (const job of jobs) {
          const attempt = yield* send(job)
          yield* node.mine()
          expect(yield* chain.observe(job, [attempt])).not.toHaveProperty("costs")
          yield* node.mine(2)
          expect(yield* costsOf(chain, job, [attempt])).toEqual([yield* costOf(attempt.hash, 1, whole)])
          // After a restart, the same is found again.
          expect(yield* costsOf(chain, job, [attempt])).toEqual([yield* costOf(attempt.hash, 1, whole)])
        }
      })
    )

    it.effect("is divided by the swaps that a batch settled", () =>
      Effect.gen(function* () {
        const { chain, costOf, delivery, node, pausable, setTokenPaused, sign } = yield* costing
        const token = yield* pausable
        const three = [delivery(), delivery(token), delivery()] as const
        const all = yield* sign(three)
        yield* chain.broadcast(all)
        yield* node.mine(3)
        const third = yield* costOf(all.hash, 3, (cost) => cost / 3n)
        for (const job of three) expect(yield* costsOf(chain, job, [all])).toEqual([third])

        const [first, second, last] = [delivery(), delivery(token), delivery()] as const
        const some = yield* sign([first, second, last])
        yield* setTokenPaused(token, true)
        yield* chain.broadcast(some)
        yield* node.mine(3)
        const half = yield* costOf(some.hash, 2, (cost) => cost / 2n)
        for (const job of [first, last]) expect(yield* costsOf(chain, job, [some])).toEqual([half])
        // The swaps that were settled pay for the batch.
        expect(yield* costsOf(chain, second, [some])).toEqual([yield* costOf(some.hash, 2, nothing)])
      })
    )

    it.effect("is a loss if a transaction settled none of its swaps", () =>
      Effect.gen(function* () {
        const { chain, costOf, delivery, nextNonce, node, pausable, setTokenPaused, sign } = yield* costing
        const token = yield* pausable
        const [first, second] = [delivery(token), delivery(token)] as const
        const batch = yield* sign([first, second])
        const alone = yield* chain.sign(yield* chain.prepare(first), (yield* nextNonce) + 1)
        yield* setTokenPaused(token, true)
        yield* chain.broadcast(batch)
        yield* node.mine(3)
        const half = yield* costOf(batch.hash, 0, (cost) => cost / 2n)
        for (const job of [first, second]) expect(yield* costsOf(chain, job, [batch])).toEqual([half])
        yield* chain.broadcast(alone)
        yield* node.mine(3)
        expect(yield* costsOf(chain, first, [batch, alone])).toEqual([half, yield* costOf(alone.hash, 0, whole)])
      })
    )

    it.effect("includes a transaction that only uses up the nonce", () =>
      Effect.gen(function* () {
        const { chain, costOf, delivery, node, sign } = yield* costing
        const jobs = [delivery(), delivery()] as const
        const batch = yield* sign(jobs)
        const cancel = yield* chain.replace(jobs[0], [batch], true)
        if (cancel === undefined) return yield* Effect.die("There is no cancellation.")
        yield* chain.broadcast(cancel)
        yield* node.mine(3)
        const half = yield* costOf(cancel.hash, 0, (cost) => cost / 2n)
        for (const job of jobs) expect(yield* costsOf(chain, job, [batch, cancel])).toEqual([half])
      })
    )

    it.effect("is omitted if the node reports it wrongly, and the outcome stays the same", () =>
      Effect.gen(function* () {
        const { delivery, node, proxied, send } = yield* costing
        const { chain, proxy } = yield* proxied()
        const job = delivery()
        const attempt = yield* send(job)
        yield* node.mine(3)
        const done = { _tag: "Done", hash: attempt.hash }
        for (const wrong of [
          { effectiveGasPrice: undefined },
          { effectiveGasPrice: "0x" },
          { effectiveGasPrice: 5 },
          { gasUsed: null },
          { gasUsed: "none" },
          // More than the transaction offers.
          { effectiveGasPrice: `0x${(2n ** 100n).toString(16)}` },
          { gasUsed: `0x${(2n ** 60n).toString(16)}` }
        ]) {
          yield* proxy.set(
            "eth_getTransactionReceipt",
            Proxy.change((receipt) => ({ ...(receipt as object), ...wrong }))
          )
          expect(yield* chain.observe(job, [attempt])).toMatchObject({ ...done, costs: [] })
        }
        // A rollup also charges for the data.
        yield* proxy.set(
          "eth_getTransactionReceipt",
          Proxy.change((receipt) => ({ ...(receipt as object), l1Fee: "0x64" }))
        )
        const outcome = yield* chain.observe(job, [attempt])
        const [cost] = outcome._tag === "Done" ? (outcome.costs ?? []) : []
        expect(cost?.cost).toBe((cost?.gasUsed ?? 0n) * (cost?.gasPrice ?? 0n) + 100n)
      })
    )

    it.effect("costs one request per transaction if many transactions were read from the vault's logs", () =>
      Effect.gen(function* () {
        const { costOf, delivery, nextNonce, node, proxied, sign } = yield* costing
        const { chain, proxy } = yield* proxied()
        const batch = [delivery(), delivery(), delivery()] as const
        const attempts = [yield* sign(batch)]
        const jobs: Array<Job> = [...batch]
        const first = yield* nextNonce
        for (let index = 1; index < 4; index++) {
          const job = delivery()
          jobs.push(job)
          attempts.push(yield* chain.sign(yield* chain.prepare(job), first + index))
        }
        const attemptOf = (index: number) => attempts[Math.max(0, index - 2)] ?? attempts[0]
        const each = jobs.flatMap((job, index) => {
          const attempt = attemptOf(index)
          return attempt === undefined ? [] : [{ job, attempt }]
        })
        for (const attempt of attempts) yield* chain.broadcast(attempt)
        for (const { attempt, job } of each) expect(yield* costsOf(chain, job, [attempt])).toBe("Waiting")
        const calls = Effect.map(proxy.callsByMethod, ({ eth_getTransactionReceipt: count = 0 }) => count)
        const before = yield* calls
        yield* node.mine()
        for (const { attempt, job } of each) expect(yield* costsOf(chain, job, [attempt])).toBe("Included")
        expect((yield* calls) - before).toBe(0)
        yield* node.mine(2)
        for (const { attempt, job } of each) {
          const settled = attempt === attempts[0] ? 3 : 1
          const expected = yield* costOf(attempt.hash, settled, (cost) => cost / BigInt(settled))
          expect(yield* costsOf(chain, job, [attempt])).toEqual([expected])
        }
        expect((yield* calls) - before).toBe(attempts.length)
      })
    )
  })
})
