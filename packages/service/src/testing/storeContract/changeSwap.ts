/** Part of the store contract: changing swaps by compare-and-set. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import type { State } from "../../domain/SwapRecord.js"
import { equals, matches } from "../contractAssertions.js"
import { me, notClaimed, order, through, to, underWay, working } from "./fixture.js"
import { type Case, group, test } from "./storeCase.js"

const conflict = { _tag: "Conflict" }

const terminal: ReadonlyArray<State> = ["settled", "failed", "refunded"]

export const changeSwapCases: ReadonlyArray<Case> = group("Store.change", [
  test("increments the version, stores an event, and keeps fields that are not set", (store) =>
    Effect.gen(function* () {
      const accepted = yield* underWay(store)
      yield* TestClock.setTime(1_000)
      const sent = yield* store.change(to(accepted, "origin_sent", { originTxHash: "0xa" }))
      equals(sent, {
        ...accepted,
        state: "origin_sent",
        version: 1,
        updatedAt: 1_000,
        originTxHash: "0xa"
      })
      yield* TestClock.setTime(2_000)
      const refund = yield* store.change(to(sent, "refund_sent", { refundTxHash: "0xb", failureCode: "SLIPPAGE" }))
      const settled = yield* store.change(to(refund, "refunded", { deliveryTxHash: "0xc", originTxHash: "0xd" }))
      equals(settled, {
        ...accepted,
        state: "refunded",
        version: 3,
        updatedAt: 2_000,
        reserved: false,
        originTxHash: "0xd",
        deliveryTxHash: "0xc",
        refundTxHash: "0xb",
        failureCode: "SLIPPAGE"
      })
      equals(yield* store.swap(accepted.id), Option.some(settled))
      equals(yield* store.events(accepted.id), [
        { at: 0, state: "accepted", version: 0, detail: "accepted" },
        { at: 1_000, state: "origin_sent", version: 1, detail: "now origin_sent" },
        { at: 2_000, state: "refund_sent", version: 2, detail: "now refund_sent" },
        { at: 2_000, state: "refunded", version: 3, detail: "now refunded" }
      ])
    })),

  test("keeps a reverted collection transaction separate from one that was in an earlier block", (store) =>
    Effect.gen(function* () {
      const sent = yield* store.change(to(yield* underWay(store), "origin_sent", { originTxHash: "0xa" }))
      const failed = yield* store.change(to(sent, "failed", { revertedTxHash: "0xb", failureCode: "REVERTED" }))
      matches(failed, { originTxHash: "0xa", revertedTxHash: "0xb" })
      equals(yield* store.swap(sent.id), Option.some(failed))
      equals(yield* store.list({ limit: 10 }), [failed])
    })),

  test("keeps when the input first arrived", (store) =>
    Effect.gen(function* () {
      const sent = yield* store.change(to(yield* underWay(store), "origin_sent"))
      equals(sent.collectedAt, undefined)
      yield* TestClock.setTime(5_000)
      const final = yield* store.change(to(sent, "origin_final"))
      equals(final.collectedAt, 5_000)
      equals(yield* store.swap(sent.id), Option.some(final))
      yield* TestClock.setTime(9_000)
      const again = yield* store.change(to(final, "origin_final", { releases: true }))
      const settled = yield* store.change(to(again, "settled"))
      equals([again.collectedAt, settled.collectedAt], [5_000, 5_000])
      equals(yield* store.swap(sent.id), Option.some(settled))
    })),

  test("keeps the amount that a finished swap paid, up to 256 bits", (store) =>
    Effect.gen(function* () {
      const [first, second] = yield* working(store, order(1), order(2))
      if (first === undefined || second === undefined) return notClaimed()
      const settled = yield* store.change(to(first, "settled", { paidAmount: 2n ** 256n - 1n }))
      const refunded = yield* store.change(to(second, "refunded"))
      equals([settled.paidAmount, refunded.paidAmount], [2n ** 256n - 1n, undefined])
      equals(yield* store.swap(first.id), Option.some(settled))
      equals(yield* store.swap(second.id), Option.some(refunded))
    })),

  test("changes no other swap", (store) =>
    Effect.gen(function* () {
      const [first, second] = yield* working(store, order(1), order(2))
      if (first === undefined || second === undefined) return notClaimed()
      yield* through(store, first, "origin_prepared", "settled")
      equals(yield* store.swap(second.id), Option.some(second))
      equals((yield* store.events(second.id)).length, 1)
    })),

  test("rejects a wrong version, and writes nothing", (store) =>
    Effect.gen(function* () {
      const stale = yield* underWay(store)
      const current = yield* store.change(to(stale, "origin_prepared"))
      matches(yield* Effect.flip(store.change(to(stale, "settled"))), conflict)
      matches(yield* Effect.flip(store.change(to({ ...stale, version: 2 }, "settled"))), conflict)
      equals(yield* store.swap(stale.id), Option.some(current))
      equals((yield* store.events(stale.id)).length, 2)
    })),

  test("rejects a worker that has not claimed the swap", (store) =>
    Effect.gen(function* () {
      const swap = yield* underWay(store)
      const strange = to(swap, "origin_prepared", { owner: "worker-2" })
      matches(yield* Effect.flip(store.change(strange)), conflict)
      yield* store.release(me, [swap.id])
      matches(yield* Effect.flip(store.change(to(swap, "origin_prepared"))), conflict)
      equals(yield* store.swap(swap.id), Option.some(swap))
    })),

  test("rejects a swap that does not exist", (store) =>
    Effect.gen(function* () {
      const swap = yield* underWay(store)
      matches(yield* Effect.flip(store.change(to({ ...swap, id: "swap-2" }, "settled"))), conflict)
    })),

  ...terminal.map((state) =>
    test(`never leaves the ${state} state, and releases the swap in it`, (store) =>
      Effect.gen(function* () {
        const over = yield* through(store, yield* underWay(store), state)
        equals(yield* store.renew(me, [over.id], 60_000), [])
        yield* TestClock.adjust("1 day")
        equals(yield* store.claim({ owner: me, leaseMillis: 60_000, limit: 10 }), [])
        matches(yield* Effect.flip(store.change(to(over, "origin_sent"))), conflict)
        equals(yield* store.swap(over.id), Option.some(over))
      }))
  ),

  test("lets one of many concurrent changes to the same version succeed", (store) =>
    Effect.gen(function* () {
      const swap = yield* underWay(store)
      const all = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, n) => to(swap, "origin_prepared", { detail: `try ${n}` })),
        (change) => Effect.result(store.change(change)),
        { concurrency: "unbounded" }
      )
      equals(all.filter(Result.isSuccess).length, 1)
      equals(
        all.filter(Result.isFailure).map(({ failure }) => failure._tag),
        Array.from({ length: 19 }, () => "Conflict")
      )
      equals((yield* store.events(swap.id)).length, 2)
    }))
])
