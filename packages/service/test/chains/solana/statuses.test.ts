import { layer } from "@effect/vitest"
import { Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { expect } from "vitest"
import type { SolanaChain } from "../../../src/chains/Chains.js"
import type { Job } from "../../../src/domain/Job.js"
import type { Attempt } from "../../../src/domain/SwapRecord.js"
import { chainAt, direct, finalitySlots, person, rewrite, sendJob, Svm } from "./fixture.js"

interface Sent {
  readonly job: Job
  readonly attempt: Attempt
}

const count = 9

/** Deliveries that are signed. Every third one is final, every third one is in a block, and the others were not sent. */
const deliveries = Effect.gen(function* () {
  const { chain, svm } = yield* direct
  const all = yield* Effect.forEach(
    Array.from({ length: count }, (_, index) => sendJob("deliver", person(0).address, BigInt(index + 1))),
    Effect.fnUntraced(function* (job): Effect.fn.Return<Sent, unknown> {
      return { job, attempt: yield* chain.sign(yield* chain.prepare(job), undefined) }
    })
  )
  const every = (rest: number) => all.filter((_, index) => index % 3 === rest)
  yield* Effect.forEach(every(0), ({ attempt }) => chain.broadcast(attempt))
  yield* svm.mine(finalitySlots + 1)
  yield* Effect.forEach(every(1), ({ attempt }) => chain.broadcast(attempt))
  yield* svm.mine(1)
  return all
})

const expected = ({ attempt: { hash } }: Sent, index: number) =>
  index % 3 === 0 ? { _tag: "Done", hash } : index % 3 === 1 ? { _tag: "Included", hash } : { _tag: "Waiting" }

/** Observes jobs at the same time. */
const observeAll = (chain: SolanaChain, all: ReadonlyArray<Sent>) =>
  Effect.forEach(all, ({ attempt, job }) => Effect.result(chain.observe(job, [attempt])), {
    concurrency: "unbounded"
  })

const statusesOf = (answer: Readonly<Record<string, unknown>>) => answer["value"] as ReadonlyArray<unknown>

layer(Svm.layer)("the statuses of transactions that are observed at the same time", (it) => {
  it.effect("share one request per node, and each caller gets its own status", () =>
    Effect.gen(function* () {
      const svm = yield* Svm
      const all = yield* deliveries
      const proxy = yield* Proxy.make({ target: svm.rpcUrl })
      const chain = yield* chainAt([proxy.rpcUrl])
      const asked: Array<ReadonlyArray<unknown>> = []
      yield* proxy.set(
        "getSignatureStatuses",
        Proxy.change((answer, params) => {
          asked.push(params)
          return answer
        })
      )
      const outcomes = yield* observeAll(chain, all)
      for (const [index, sent] of all.entries()) {
        expect(outcomes[index]).toMatchObject({ success: expected(sent, index) })
      }
      expect(yield* proxy.callsByMethod).toEqual({ getEpochInfo: 1, getSignatureStatuses: 1, getTransaction: 3 })
      expect(asked).toEqual([[all.map(({ attempt }) => attempt.hash), { searchTransactionHistory: true }]])
    })
  )

  it.effect("require the same quorum as before, with shared requests on every node", () =>
    Effect.gen(function* () {
      const svm = yield* Svm
      const all = yield* deliveries
      const nodes = [
        yield* Proxy.make({ target: svm.rpcUrl }),
        yield* Proxy.make({ target: svm.rpcUrl }),
        yield* Proxy.make({ target: svm.rpcUrl })
      ] as const
      const chain = yield* chainAt(nodes.map(({ rpcUrl }) => rpcUrl))
      const outcomes = yield* observeAll(chain, all)
      for (const [index, sent] of all.entries()) {
        expect(outcomes[index]).toMatchObject({ success: expected(sent, index) })
      }
      // The first node is asked about all transactions in one request, and then every node about the three final ones. They
      // share a request only if the first node has returned their transactions at the same time.
      for (const [index, { calls }] of nodes.entries()) {
        const later = (yield* calls("getSignatureStatuses")) - (index === 0 ? 1 : 0)
        expect(later).toBeGreaterThanOrEqual(1)
        expect(later).toBeLessThanOrEqual(3)
        expect(yield* calls("getTransaction")).toBe(index === 0 ? 6 : 3)
      }
      // Two nodes that do not know a transaction keep it from being final.
      const unknown = rewrite((answer) => ({ ...answer, value: statusesOf(answer).map(() => null) }))
      yield* nodes[1].set("getSignatureStatuses", unknown)
      yield* nodes[2].set("getSignatureStatuses", unknown)
      for (const outcome of yield* observeAll(chain, all)) {
        expect(outcome).not.toMatchObject({ success: { _tag: "Done" } })
      }
    })
  )

  it.effect("fail only for the caller whose status is malformed", () =>
    Effect.gen(function* () {
      const svm = yield* Svm
      const all = yield* deliveries
      const proxy = yield* Proxy.make({ target: svm.rpcUrl })
      const chain = yield* chainAt([proxy.rpcUrl])
      for (const junk of ["final", {}, { slot: -1.5, err: null, confirmationStatus: "finalized" }, [null]]) {
        yield* proxy.set(
          "getSignatureStatuses",
          rewrite((answer) => ({
            ...answer,
            value: statusesOf(answer).map((status, index) => (index === 4 ? junk : status))
          }))
        )
        const outcomes = yield* observeAll(chain, all)
        for (const [index, sent] of all.entries()) {
          expect(outcomes[index]).toMatchObject(
            index === 4 ? { failure: { _tag: "ChainUnavailable" } } : { success: expected(sent, index) }
          )
        }
      }
    })
  )

  it.effect("are requested again in smaller parts if a node returns too few or refuses one", () =>
    Effect.gen(function* () {
      const svm = yield* Svm
      const all = yield* deliveries
      const proxy = yield* Proxy.make({ target: svm.rpcUrl })
      const chain = yield* chainAt([proxy.rpcUrl])
      const short = rewrite((answer) => {
        const value = statusesOf(answer)
        return { ...answer, value: value.length > 2 ? value.slice(1) : value }
      })
      yield* proxy.set("getSignatureStatuses", short)
      const outcomes = yield* observeAll(chain, all)
      for (const [index, sent] of all.entries()) {
        expect(outcomes[index]).toMatchObject({ success: expected(sent, index) })
      }
      yield* proxy.clear()
      // The node refuses the whole request, because one signature is invalid.
      const [broken, ...others] = all
      if (broken === undefined) return yield* Effect.die("There are deliveries.")
      const invalid = { ...broken, attempt: { ...broken.attempt, hash: "0O0O" } }
      const [refused, ...rest] = yield* observeAll(chain, [invalid, ...others])
      expect(refused).toMatchObject({ failure: { _tag: "ChainUnavailable" } })
      for (const [index, sent] of others.entries()) {
        expect(rest[index]).toMatchObject({ success: expected(sent, index + 1) })
      }
    })
  )

  it.effect("are unknown to all callers if a node never returns as many as requested", () =>
    Effect.gen(function* () {
      const svm = yield* Svm
      const all = yield* deliveries
      const proxy = yield* Proxy.make({ target: svm.rpcUrl })
      const chain = yield* chainAt([proxy.rpcUrl])
      const one = rewrite((answer) => ({ ...answer, value: statusesOf(answer).slice(1) }))
      yield* proxy.set("getSignatureStatuses", one)
      expect((yield* observeAll(chain, all)).every(Result.isFailure)).toBe(true)
    })
  )

  it.effect("are not requested once per transaction from a node that fails", () =>
    Effect.gen(function* () {
      const svm = yield* Svm
      const all = yield* deliveries
      const proxy = yield* Proxy.make({ target: svm.rpcUrl })
      const chain = yield* chainAt([proxy.rpcUrl])
      yield* proxy.set("getSignatureStatuses", Proxy.httpStatus(503))
      expect((yield* observeAll(chain, all)).every(Result.isFailure)).toBe(true)
      expect(yield* proxy.calls("getSignatureStatuses")).toBe(1)
      yield* proxy.set("getEpochInfo", Proxy.httpStatus(503))
      expect((yield* observeAll(chain, all)).every(Result.isFailure)).toBe(true)
      expect(yield* proxy.calls("getSignatureStatuses")).toBe(1)
      expect(yield* proxy.calls("getEpochInfo")).toBe(2)
    })
  )
})
