/** Part of the store contract: compare and set. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import type { State } from "../../../src/store/SwapRecord.js"
import { countOf, me, order, type Stored, through, to, underWay, working } from "./fixture.js"

const conflict = { _tag: "Conflict" }

export const changeSwapContract = (stored: Stored) =>
  describe("Store.change", () => {
    it.effect("increases the version, stores an event, and keeps fields that are not given", () =>
      stored((store) =>
        Effect.gen(function* () {
          const accepted = yield* underWay(store)
          yield* TestClock.setTime(1_000)
          const sent = yield* store.change(to(accepted, "origin_sent", { originTxHash: "0xa" }))
          expect(sent).toStrictEqual({
            ...accepted,
            state: "origin_sent",
            version: 1,
            updatedAt: 1_000,
            originTxHash: "0xa"
          })
          yield* TestClock.setTime(2_000)
          const refund = yield* store.change(to(sent, "refund_sent", { refundTxHash: "0xb", failureCode: "SLIPPAGE" }))
          const settled = yield* store.change(to(refund, "refunded", { deliveryTxHash: "0xc", originTxHash: "0xd" }))
          expect(settled).toStrictEqual({
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
          expect(yield* store.swap(accepted.id)).toStrictEqual(Option.some(settled))
          expect(yield* store.events(accepted.id)).toStrictEqual([
            { at: 0, state: "accepted", version: 0, detail: "accepted" },
            { at: 1_000, state: "origin_sent", version: 1, detail: "now origin_sent" },
            { at: 2_000, state: "refund_sent", version: 2, detail: "now refund_sent" },
            { at: 2_000, state: "refunded", version: 3, detail: "now refunded" }
          ])
        })
      )
    )

    it.effect("keeps the reverted collect separate from one that was in a block before", () =>
      stored((store) =>
        Effect.gen(function* () {
          const sent = yield* store.change(to(yield* underWay(store), "origin_sent", { originTxHash: "0xa" }))
          const failed = yield* store.change(to(sent, "failed", { revertedTxHash: "0xb", failureCode: "REVERTED" }))
          expect(failed).toMatchObject({ originTxHash: "0xa", revertedTxHash: "0xb" })
          expect(yield* store.swap(sent.id)).toStrictEqual(Option.some(failed))
          expect(yield* store.list({ limit: 10 })).toStrictEqual([failed])
        })
      )
    )

    it.effect("changes no other swap", () =>
      stored((store) =>
        Effect.gen(function* () {
          const [first, second] = yield* working(store, order(1), order(2))
          if (first === undefined || second === undefined) return expect.unreachable()
          yield* through(store, first, "origin_prepared", "settled")
          expect(yield* store.swap(second.id)).toStrictEqual(Option.some(second))
          expect(yield* store.events(second.id)).toHaveLength(1)
        })
      )
    )

    it.effect("refuses a wrong version, and writes nothing", () =>
      stored((store) =>
        Effect.gen(function* () {
          const stale = yield* underWay(store)
          const current = yield* store.change(to(stale, "origin_prepared"))
          expect(yield* Effect.flip(store.change(to(stale, "settled")))).toMatchObject(conflict)
          expect(yield* Effect.flip(store.change(to({ ...stale, version: 2 }, "settled")))).toMatchObject(conflict)
          expect(yield* store.swap(stale.id)).toStrictEqual(Option.some(current))
          expect(yield* store.events(stale.id)).toHaveLength(2)
        })
      )
    )

    it.effect("refuses a worker that has not claimed the swap", () =>
      stored((store) =>
        Effect.gen(function* () {
          const swap = yield* underWay(store)
          const strange = to(swap, "origin_prepared", { owner: "worker-2" })
          expect(yield* Effect.flip(store.change(strange))).toMatchObject(conflict)
          yield* store.release(me, [swap.id])
          expect(yield* Effect.flip(store.change(to(swap, "origin_prepared")))).toMatchObject(conflict)
          expect(yield* store.swap(swap.id)).toStrictEqual(Option.some(swap))
        })
      )
    )

    it.effect("refuses a swap that does not exist", () =>
      stored((store) =>
        Effect.gen(function* () {
          const swap = yield* underWay(store)
          expect(yield* Effect.flip(store.change(to({ ...swap, id: "swap-2" }, "settled")))).toMatchObject(conflict)
        })
      )
    )

    const terminal: ReadonlyArray<State> = ["settled", "failed", "refunded"]
    it.effect.each(terminal)("never leaves %s, and releases the swap there", (state) =>
      stored((store, sql) =>
        Effect.gen(function* () {
          const over = yield* through(store, yield* underWay(store), state)
          expect(yield* store.renew(me, [over.id], 60_000)).toStrictEqual([])
          yield* TestClock.adjust("1 day")
          expect(yield* store.claim({ owner: me, leaseMillis: 60_000, limit: 10 })).toStrictEqual([])
          // Even for who came to hold it nevertheless.
          yield* sql`UPDATE swaps SET lease_owner = ${me}`
          expect(yield* Effect.flip(store.change(to(over, "origin_sent")))).toMatchObject(conflict)
          expect(yield* store.swap(over.id)).toStrictEqual(Option.some(over))
        })
      )
    )

    it.effect("lets one of many concurrent changes of the same version win", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          const swap = yield* underWay(store)
          const all = yield* Effect.forEach(
            Array.from({ length: 20 }, (_, n) => to(swap, "origin_prepared", { detail: `try ${n}` })),
            (change) => Effect.result(store.change(change)),
            { concurrency: "unbounded" }
          )
          expect(all.filter(Result.isSuccess)).toHaveLength(1)
          expect(all.filter(Result.isFailure).map(({ failure }) => failure._tag)).toStrictEqual(
            Array.from({ length: 19 }, () => "Conflict")
          )
          expect(yield* countOf(sql, "swap_events")).toBe(2)
        })
      )
    )
  })
