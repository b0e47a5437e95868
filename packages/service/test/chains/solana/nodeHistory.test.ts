import { layer } from "@effect/vitest"
import { Proxy } from "@geoswap/devnet"
import { createSolanaRpc } from "@solana/kit"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import type { SolanaChain } from "../../../src/chains/Chains.js"
import type { Job } from "../../../src/domain/Job.js"
import {
  chainAt,
  collectJob,
  direct,
  finalitySlots,
  mintOf,
  person,
  rewrite,
  sendJob,
  stranger,
  Svm
} from "./fixture.js"

const signed = Effect.fnUntraced(function* (chain: SolanaChain, job: Job) {
  return yield* chain.sign(yield* chain.prepare(job), undefined)
})

/** Jobs of every kind with an attempt each, sent or not, whose blockhash has expired. */
const pastJobs = Effect.fnUntraced(function* (sent: boolean, millis: number = Date.now()) {
  yield* TestClock.setTime(millis)
  const { chain, svm } = yield* direct
  const all: ReadonlyArray<Job> = [
    yield* collectJob(chain, person(0), 5n),
    sendJob("deliver", stranger("of the past").address, 5n),
    sendJob("refund", person(1).address, 5n)
  ]
  const made = yield* Effect.forEach(all, (job) => Effect.map(signed(chain, job), (attempt) => ({ job, attempt })))
  if (sent) yield* Effect.forEach(made, ({ attempt }) => chain.broadcast(attempt))
  yield* svm.expireBlockhashes
  yield* svm.mine(finalitySlots)
  return made
})

const always = (value: unknown) => Proxy.change(() => value)
const unknown = rewrite((answer) => ({ ...answer, value: (answer["value"] as ReadonlyArray<unknown>).map(() => null) }))

/** A node that was started from a snapshot of the newest finalized block, without older history. */
const youngNode = Effect.gen(function* () {
  const { chain, svm } = yield* direct
  const proxy = yield* Proxy.make({ target: svm.rpcUrl })
  const slot = Number(
    yield* Effect.promise(() => createSolanaRpc(svm.rpcUrl).getSlot({ commitment: "finalized" }).send())
  )
  yield* proxy.set("getSignatureStatuses", unknown)
  yield* proxy.set("getFirstAvailableBlock", always(slot))
  return { chain, svm, proxy, slot, young: yield* chainAt([proxy.rpcUrl]) }
})

const startOfTime = 1_800_000_000

layer(Svm.layer)("a Solana node without history", (it) => {
  it.effect("cannot prove that nothing landed, so that no one is paid twice", () =>
    Effect.gen(function* () {
      const landed = yield* pastJobs(true)
      const { chain, young } = yield* youngNode
      for (const { attempt, job } of landed) {
        expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Done", hash: attempt.hash })
        const error = yield* Effect.flip(young.observe(job, [attempt]))
        expect(error).toMatchObject({ _tag: "ChainUnavailable", timeout: false })
        expect(error.message).toContain(`has no history for the time when ${attempt.hash} was signed`)
      }
    })
  )

  it.effect("cannot prove it either if it has only the genesis, or no block yet", () =>
    Effect.gen(function* () {
      const landed = yield* pastJobs(true)
      const unsent = yield* pastJobs(false)
      const { proxy, slot, young } = yield* youngNode
      yield* proxy.set("getFirstAvailableBlock", always(0))
      for (const blocks of [[], [slot], [0], [0, slot], [slot - 1, slot]]) {
        yield* proxy.set("getBlocksWithLimit", always(blocks))
        for (const { attempt, job } of landed) {
          const error = yield* Effect.flip(young.observe(job, [attempt]))
          expect([blocks, error._tag]).toEqual([blocks, "ChainUnavailable"])
        }
      }
      // One that has everything.
      yield* proxy.set("getBlocksWithLimit", always([0, 1]))
      for (const { attempt, job } of unsent) {
        expect(yield* young.observe(job, [attempt])).toMatchObject({ _tag: "Dead", why: "expired" })
      }
    })
  )

  it.effect("is trusted if its first block is a minute older than the attempt", () =>
    Effect.gen(function* () {
      const unsent = yield* pastJobs(false, startOfTime * 1000)
      const { proxy, young } = yield* youngNode
      for (const { attempt, job } of unsent) {
        for (const time of [startOfTime, startOfTime - 59, null]) {
          yield* proxy.set("getBlockTime", always(time))
          expect((yield* Effect.flip(young.observe(job, [attempt])))._tag).toBe("ChainUnavailable")
        }
        yield* proxy.set("getBlockTime", always(startOfTime - 60))
        expect(yield* young.observe(job, [attempt])).toMatchObject({ _tag: "Dead", why: "expired" })
      }
    })
  )

  it.effect("must have history for the oldest unknown attempt, even if another one failed", () =>
    Effect.gen(function* () {
      const { chain, svm } = yield* direct
      const weth = mintOf("WETH")
      const job = sendJob("deliver", person(1).address, yield* chain.inventoryOf(weth), weth)
      yield* TestClock.setTime(startOfTime * 1000)
      const first = yield* signed(chain, job)
      yield* TestClock.setTime((startOfTime + 600) * 1000)
      yield* svm.mine(2)
      const second = yield* signed(chain, job)
      const failing = yield* Effect.andThen(svm.mine(2), signed(chain, job))
      yield* chain.broadcast(yield* signed(chain, sendJob("deliver", person(0).address, job.amount, weth)))
      yield* chain.broadcast(failing)
      yield* svm.expireBlockhashes
      yield* svm.mine(finalitySlots)
      const { proxy, young } = yield* youngNode
      yield* proxy.clear("getSignatureStatuses")
      for (const [attempts, why] of [
        [[first, second], "expired"],
        [[second, first], "expired"],
        [[first, failing], "reverted"],
        [[failing, first], "reverted"]
      ] as const) {
        yield* proxy.set("getBlockTime", always(startOfTime + 500))
        const error = yield* Effect.flip(young.observe(job, attempts))
        expect(error.message).toContain(first.hash)
        yield* proxy.set("getBlockTime", always(startOfTime - 60))
        expect(yield* young.observe(job, attempts)).toMatchObject({ _tag: "Dead", why })
      }
      // A known transaction needs no history.
      yield* proxy.set("getBlockTime", always(startOfTime + 900))
      expect(yield* young.observe(job, [failing])).toMatchObject({ _tag: "Dead", why: "reverted" })
    })
  )

  it.effect("does not count towards the quorum: the nodes with history decide", () =>
    Effect.gen(function* () {
      const [landed, unsent] = [yield* pastJobs(true), yield* pastJobs(false)]
      const { proxy, svm } = yield* youngNode
      const old = yield* Proxy.make({ target: svm.rpcUrl })
      for (const urls of [
        [proxy.rpcUrl, svm.rpcUrl, old.rpcUrl],
        [svm.rpcUrl, old.rpcUrl, proxy.rpcUrl]
      ]) {
        const chain = yield* chainAt(urls)
        for (const { attempt, job } of landed) {
          expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Done", hash: attempt.hash })
        }
        for (const { attempt, job } of unsent) {
          expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Dead", why: "expired" })
        }
        yield* old.down
        for (const { attempt, job } of unsent) {
          const error = yield* Effect.flip(chain.observe(job, [attempt]))
          expect(error.message).toContain("below its quorum: 1 of 3 nodes responded, but 2 must agree")
          expect(error.message).toContain("Configure a node with more history")
        }
        yield* old.up
      }
    })
  )
})
