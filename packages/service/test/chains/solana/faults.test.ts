import { layer } from "@effect/vitest"
import { Proxy } from "@geoswap/devnet"
import { createSolanaRpc } from "@solana/kit"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import type { Job } from "../../../src/domain/Job.js"
import type { Attempt } from "../../../src/domain/SwapRecord.js"
import {
  chainAt,
  collectJob,
  direct,
  finalitySlots,
  mintOf,
  native,
  person,
  rewrite,
  sendJob,
  stranger,
  Svm,
  tokenAccountOf
} from "./fixture.js"

/** A chain behind a proxy that lies. */
const behind = Effect.gen(function* () {
  const { chain, svm } = yield* direct
  const proxy = yield* Proxy.make({ target: svm.rpcUrl })
  return { chain, svm, proxy, fooled: yield* chainAt([proxy.rpcUrl]) }
})

const jobs = Effect.gen(function* () {
  const { chain } = yield* direct
  const all: ReadonlyArray<Job> = [
    yield* collectJob(chain, person(0), 5n),
    sendJob("deliver", stranger("of liars").address, 5n),
    sendJob("refund", person(1).address, 5n),
    sendJob("deliver", stranger("of native liars").address, 1_000_000n, native)
  ]
  return yield* Effect.forEach(all, (job) =>
    Effect.gen(function* () {
      return { job, attempt: yield* chain.sign(yield* chain.prepare(job), undefined) }
    })
  )
})

/** Jobs that are done, with their attempts. */
const doneJobs = Effect.gen(function* () {
  const { chain, svm } = yield* direct
  const all = yield* jobs
  yield* Effect.forEach(all, ({ attempt }) => chain.broadcast(attempt))
  yield* svm.mine(finalitySlots)
  for (const { attempt, job } of all) {
    expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Done", hash: attempt.hash })
  }
  return all
})

type Json = Readonly<Record<string, unknown>>
const metaOf = (by: (meta: Json) => Json) => rewrite((landed) => ({ ...landed, meta: by(landed["meta"] as Json) }))
const finalStatus = (err: unknown) =>
  rewrite((answer) => ({
    ...answer,
    value: [{ slot: 1, confirmations: null, err, status: { Ok: null }, confirmationStatus: "finalized" }]
  }))
const unknownStatus = rewrite((answer) => ({ ...answer, value: [null] }))
/** Far in the future. */
const height = (blockHeight: number) => rewrite((epoch) => ({ ...epoch, blockHeight }))

/** Balances that all grew by a wrong amount. */
const otherTokens = (by: (amount: string) => string) =>
  metaOf((meta) => ({
    ...meta,
    postTokenBalances: (meta["postTokenBalances"] as ReadonlyArray<Json>).map((balance) => ({
      ...balance,
      uiTokenAmount: { amount: by(String((balance["uiTokenAmount"] as Json)["amount"])) }
    })),
    postBalances: (meta["postBalances"] as ReadonlyArray<number>).map((each) => Number(by(String(each))))
  }))

layer(Svm.layer)("a Solana node that lies", (it) => {
  it.effect("cannot report a job as done without our transaction and its transfer", () =>
    Effect.gen(function* () {
      const { fooled, proxy } = yield* behind
      const done = yield* doneJobs
      const [other] = yield* doneJobs
      if (other === undefined) return expect.unreachable()
      const lies = {
        "another transaction": rewrite((landed) => ({ ...landed, transaction: [other.attempt.raw, "base64"] })),
        "too little": otherTokens((amount) => `${BigInt(amount) - 1n}`),
        "too much": otherTokens((amount) => `${BigInt(amount) + 1n}`),
        "no balances": metaOf((meta) => ({ ...meta, postTokenBalances: [], postBalances: [] })),
        "balances of another token": metaOf((meta) => ({
          ...meta,
          preBalances: meta["postBalances"],
          postTokenBalances: (meta["postTokenBalances"] as ReadonlyArray<Json>).map((balance) => ({
            ...balance,
            mint: other.job.orderId
          }))
        })),
        "balances that are null": metaOf((meta) => ({ ...meta, postTokenBalances: null, postBalances: null })),
        "a failure": metaOf((meta) => ({ ...meta, err: { InstructionError: [2, { Custom: 1 }] } })),
        "no word of failure": metaOf((meta) => ({ ...meta, err: undefined })),
        "nothing of what it did": rewrite((landed) => ({ ...landed, meta: null }))
      }
      for (const [name, lie] of Object.entries(lies)) {
        yield* proxy.set("getTransaction", lie)
        for (const { attempt, job } of done) {
          const error = yield* Effect.flip(fooled.observe(job, [attempt]))
          expect([name, error._tag]).toEqual([name, "ChainUnavailable"])
        }
      }
      yield* proxy.set(
        "getTransaction",
        Proxy.change(() => null)
      )
      for (const { attempt, job } of done) {
        expect(yield* fooled.observe(job, [attempt])).toEqual({ _tag: "Waiting" })
      }
      yield* proxy.clear()
      for (const { attempt, job } of done) {
        expect(yield* fooled.observe(job, [attempt])).toMatchObject({ _tag: "Done" })
      }
    })
  )

  it.effect("cannot report a job as done or failed if no block has it", () =>
    Effect.gen(function* () {
      const { fooled, proxy } = yield* behind
      for (const { attempt, job } of yield* jobs) {
        for (const err of [null, "AccountInUse"]) {
          yield* proxy.set("getSignatureStatuses", finalStatus(err))
          expect(yield* fooled.observe(job, [attempt])).toEqual({ _tag: "Waiting" })
        }
      }
    })
  )

  it.effect("cannot report a successful transaction as failed", () =>
    Effect.gen(function* () {
      const { fooled, proxy } = yield* behind
      yield* proxy.set("getSignatureStatuses", finalStatus({ InstructionError: [2, { Custom: 1 }] }))
      for (const { attempt, job } of yield* doneJobs) {
        const error = yield* Effect.flip(fooled.observe(job, [attempt]))
        expect(error.message).toContain("both")
      }
    })
  )

  it.effect("cannot report a valid blockhash as expired", () =>
    Effect.gen(function* () {
      const { fooled, proxy } = yield* behind
      yield* proxy.set("getEpochInfo", height(1_000_000))
      for (const { attempt, job } of yield* jobs) {
        expect(yield* fooled.observe(job, [attempt])).toEqual({ _tag: "Waiting" })
      }
      yield* proxy.clear()
      const lie = rewrite((answer) => ({ ...answer, value: { ...(answer["value"] as Json), lastValidBlockHeight: 0 } }))
      yield* proxy.set("getLatestBlockhash", lie)
      const job = sendJob("deliver", person(0).address, 5n)
      const attempt = yield* fooled.sign(yield* fooled.prepare(job), undefined)
      // The last valid height is derived from the heights of all nodes, not reported by one.
      expect(attempt.lastValidBlockHeight).toBeGreaterThanOrEqual(150n)
      expect(yield* fooled.observe(job, [attempt])).toEqual({ _tag: "Waiting" })
    })
  )

  it.effect("cannot make us sign with a blockhash that the other nodes do not know", () =>
    Effect.gen(function* () {
      const { proxy, svm } = yield* behind
      const chain = yield* chainAt([proxy.rpcUrl, svm.rpcUrl])
      const unknown = stranger("of blockhashes").address
      const lie = rewrite((answer) => ({ ...answer, value: { blockhash: unknown, lastValidBlockHeight: 0 } }))
      yield* proxy.set("getLatestBlockhash", lie)
      yield* proxy.set(
        "isBlockhashValid",
        rewrite((answer) => ({ ...answer, value: true }))
      )
      const job = sendJob("deliver", person(0).address, 5n)
      const error = yield* Effect.flip(chain.sign(yield* chain.prepare(job), undefined))
      expect(error.message).toContain("Too few nodes have seen the latest blockhash")
    })
  )

  it.effect("cannot withhold a transaction, because all nodes get it", () =>
    Effect.gen(function* () {
      const { proxy, svm } = yield* behind
      const other = yield* Proxy.make({ target: svm.rpcUrl })
      const chain = yield* chainAt([proxy.rpcUrl, other.rpcUrl])
      const job = sendJob("deliver", stranger("of a hidden transfer").address, 1_000_000n, native)
      const attempt = yield* chain.sign(yield* chain.prepare(job), undefined)
      yield* chain.broadcast(attempt)
      expect(yield* other.calls("sendTransaction")).toBe(1)
      yield* svm.mine(finalitySlots)
    })
  )

  it.effect("is not trusted if its statuses are older than its height, or not the requested ones", () =>
    Effect.gen(function* () {
      const { fooled, proxy, svm } = yield* behind
      const all = yield* doneJobs
      yield* svm.expireBlockhashes
      yield* svm.mine(finalitySlots)
      const inContext = (value: unknown, slot?: number) =>
        rewrite((answer) => ({ ...answer, value, ...(slot !== undefined && { context: { slot } }) }))
      const status = { slot: 1, confirmations: null, confirmationStatus: null }
      const lies = {
        "of another node, which is behind": inContext([null], 3),
        none: inContext([]),
        "too many": inContext([null, null]),
        "no list": inContext(null),
        "without an error": inContext([status]),
        "of an unknown kind": inContext([{ ...status, err: null, confirmationStatus: "certain" }])
      }
      for (const [name, lie] of Object.entries(lies)) {
        yield* proxy.set("getSignatureStatuses", lie)
        for (const { attempt, job } of all) {
          const error = yield* Effect.flip(fooled.observe(job, [attempt]))
          expect([name, error._tag]).toEqual([name, "ChainUnavailable"])
        }
      }
      // A status without a level is not final.
      yield* proxy.set("getSignatureStatuses", inContext([{ ...status, err: null }]))
      for (const { attempt, job } of all) {
        expect(yield* fooled.observe(job, [attempt])).toMatchObject({ _tag: "Included" })
      }
      yield* proxy.set("getSignatureStatuses", unknownStatus)
      yield* proxy.set("isBlockhashValid", inContext(false, 3))
      for (const { attempt, job } of all) {
        expect((yield* Effect.flip(fooled.observe(job, [attempt])))._tag).toBe("ChainUnavailable")
      }
    })
  )

  it.effect("cannot make us pay into an account of another token", () =>
    Effect.gen(function* () {
      const { fooled, proxy, svm } = yield* behind
      const job = sendJob("refund", person(0).address, 5n)
      yield* fooled.prepare(job)
      const other = yield* tokenAccountOf(person(0).address, mintOf("GEO"))
      const rpc = createSolanaRpc(svm.rpcUrl)
      const { value } = yield* Effect.promise(() => rpc.getAccountInfo(other, { encoding: "base64" }).send())
      yield* proxy.set(
        "getMultipleAccounts",
        rewrite((answer) => ({
          ...answer,
          value: (answer["value"] as ReadonlyArray<Json>).map((account) => ({ ...account, data: value?.data }))
        }))
      )
      const error = yield* Effect.flip(fooled.prepare(job))
      expect(error).toMatchObject({ _tag: "Impossible", code: "REVERTED" })
      expect(error.message).toContain("holds another token")
    })
  )

  it.effect("decides what is final only if no other node contradicts it", () =>
    Effect.gen(function* () {
      const { proxy, svm } = yield* behind
      const honest = yield* Proxy.make({ target: svm.rpcUrl })
      const both = yield* chainAt([proxy.rpcUrl, honest.rpcUrl])
      const seen = (job: Job, attempt: Attempt) => both.observe(job, [attempt])
      const [waiting] = yield* jobs
      const [done] = yield* doneJobs
      if (waiting === undefined || done === undefined) return expect.unreachable()
      expect(yield* seen(done.job, done.attempt)).toMatchObject({ _tag: "Done" })

      // A node that has it in another slot: balances would be compared with that for good.
      yield* proxy.set(
        "getTransaction",
        rewrite((answer) => ({ ...answer, slot: 1 }))
      )
      expect((yield* Effect.flip(seen(done.job, done.attempt))).message).toContain(
        "The nodes disagree about the collect"
      )
      yield* proxy.clear()

      // A node that ran ahead and says that it has everything: all is dead to it.
      yield* proxy.set(
        "getFirstAvailableBlock",
        Proxy.change(() => 1)
      )
      yield* proxy.set("getEpochInfo", height(1_000_000))
      yield* proxy.set("getSignatureStatuses", unknownStatus)
      yield* proxy.set(
        "isBlockhashValid",
        rewrite((answer) => ({ ...answer, value: false }))
      )
      expect(yield* seen(waiting.job, waiting.attempt)).toEqual({ _tag: "Waiting" })
      expect((yield* Effect.flip(seen(done.job, done.attempt))).message).toContain(
        "The nodes disagree about the collect"
      )
      // No other node is left, and one of two is not a quorum.
      yield* honest.down
      for (const { attempt, job } of [waiting, done]) {
        const error = yield* Effect.flip(seen(job, attempt))
        expect(error._tag).toBe("ChainUnavailable")
        expect(error.message).toContain(
          "Chain 31339 (devnet-solana) is below its quorum: 1 of 2 nodes responded, but 2 must agree."
        )
      }
      yield* honest.up

      // One that shows a whole transaction which no block has.
      yield* proxy.clear()
      yield* proxy.set("getSignatureStatuses", finalStatus(null))
      yield* proxy.set(
        "getTransaction",
        Proxy.change(() => {
          const balance = (amount: string) =>
            [0, 1, 2, 3, 4, 5, 6, 7].map((accountIndex) => ({
              accountIndex,
              mint: waiting.job.token,
              uiTokenAmount: { amount }
            }))
          return {
            slot: 1,
            transaction: [waiting.attempt.raw, "base64"],
            meta: {
              err: null,
              preBalances: [],
              postBalances: [],
              preTokenBalances: balance("0"),
              postTokenBalances: balance("5")
            }
          }
        })
      )
      const alone = yield* chainAt([proxy.rpcUrl])
      expect(yield* alone.observe(waiting.job, [waiting.attempt])).toMatchObject({ _tag: "Done" })
      expect(yield* seen(waiting.job, waiting.attempt)).toEqual({ _tag: "Waiting" })
      yield* honest.down
      expect((yield* Effect.flip(seen(waiting.job, waiting.attempt)))._tag).toBe("ChainUnavailable")
    })
  )

  it.effect("does not keep two honest nodes of three from deciding, unless it contradicts them", () =>
    Effect.gen(function* () {
      const { proxy: third, svm } = yield* behind
      const [one, two] = [yield* Proxy.make({ target: svm.rpcUrl }), yield* Proxy.make({ target: svm.rpcUrl })]
      const chain = yield* chainAt([one.rpcUrl, two.rpcUrl, third.rpcUrl])
      const [done] = yield* doneJobs
      if (done === undefined) return expect.unreachable()
      const seen = chain.observe(done.job, [done.attempt])
      yield* third.down
      expect(yield* seen).toMatchObject({ _tag: "Done" })
      yield* third.up
      yield* third.set(
        "getSignatureStatuses",
        rewrite((answer) => ({ ...answer, value: [null] }))
      )
      // At the same slot it contradicts the others, so nothing is final.
      expect(yield* seen).toEqual({ _tag: "Waiting" })
      yield* third.set(
        "getEpochInfo",
        rewrite((epoch) => ({ ...epoch, absoluteSlot: 1, blockHeight: 1 }))
      )
      expect(yield* seen).toMatchObject({ _tag: "Done" })
      yield* two.down
      expect(yield* seen).toEqual({ _tag: "Waiting" })
      yield* third.down
      expect((yield* Effect.flip(seen)).message).toContain("1 of 3 nodes responded, but 2 must agree")
    })
  )

  it.effect("does not count towards the quorum if it is silent, far behind or on another network", () =>
    Effect.gen(function* () {
      const { proxy: third, svm } = yield* behind
      yield* svm.mine(200)
      const [one, two] = [yield* Proxy.make({ target: svm.rpcUrl }), yield* Proxy.make({ target: svm.rpcUrl })]
      const { agreement } = yield* chainAt([one.rpcUrl, two.rpcUrl, third.rpcUrl])
      const agreeing = (count: number) => ({ nodes: 3, agreeing: count, quorum: 2 })
      expect(yield* agreement).toEqual(agreeing(3))
      yield* third.set(
        "getEpochInfo",
        rewrite((epoch) => ({ ...epoch, absoluteSlot: 1 }))
      )
      expect(yield* agreement).toEqual(agreeing(2))
      yield* two.set(
        "getGenesisHash",
        Proxy.change(() => "another")
      )
      expect(yield* agreement).toEqual(agreeing(1))
      yield* Effect.forEach([one, two, third], ({ down }) => down)
      expect(yield* agreement).toEqual(agreeing(0))
    })
  )
})
