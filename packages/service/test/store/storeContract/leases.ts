/** Part of the store contract: leases. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import type { Store } from "../../../src/store/Store.js"
import { aMinute, me, order, plenty, type Stored, to, working } from "./fixture.js"

const other = "worker-2"
const claim = (store: Store["Service"], owner: string, limit = 10) =>
  Effect.map(store.claim({ owner, leaseMillis: aMinute, limit }), (swaps) => swaps.map(({ id }) => id))
const accept = (store: Store["Service"], ...numbers: ReadonlyArray<number>) =>
  Effect.forEach(numbers, (number) => store.accept(order(number), plenty))

export const leasesContract = (stored: Stored) =>
  describe("claiming", () => {
    it.effect("returns the oldest swaps first, up to the limit, each to one worker", () =>
      stored((store) =>
        Effect.gen(function* () {
          yield* accept(store, 30, 10, 20, 40)
          expect(yield* claim(store, me, 0)).toStrictEqual([])
          expect(yield* claim(store, me, -1)).toStrictEqual([])
          expect(yield* claim(store, me, 3)).toStrictEqual(["swap-10", "swap-20", "swap-30"])
          expect(yield* claim(store, other)).toStrictEqual(["swap-40"])
          expect(yield* claim(store, me)).toStrictEqual([])
        })
      )
    )

    it.effect("returns the swap as it is stored", () =>
      stored((store) =>
        Effect.gen(function* () {
          const [swap] = yield* working(store, order(1))
          expect(yield* store.swap("swap-1")).toStrictEqual(Option.fromUndefinedOr(swap))
          expect(swap).toStrictEqual({ ...order(1), state: "accepted", version: 0, updatedAt: 0, reserved: true })
        })
      )
    )

    it.effect("returns no swap to two concurrent workers", () =>
      stored((store) =>
        Effect.gen(function* () {
          yield* accept(store, ...Array.from({ length: 40 }, (_, number) => number))
          const claims = yield* Effect.forEach([1, 2, 3, 4, 5, 6], (worker) => claim(store, `worker-${worker}`, 7), {
            concurrency: "unbounded"
          })
          expect(new Set(claims.flat()).size).toBe(claims.flat().length)
          expect(claims.flat()).toHaveLength(40)
        })
      )
    )

    it.effect("skips only swaps in terminal states", () =>
      stored((store) =>
        Effect.gen(function* () {
          const swaps = yield* working(store, order(1), order(2), order(3), order(4))
          const [first, second, third, fourth] = swaps
          if (!first || !second || !third || !fourth) return expect.unreachable()
          yield* store.change(to(first, "failed"))
          yield* store.change(to(second, "refund_sent"))
          yield* store.change(to(third, "settled"))
          yield* store.change(to(fourth, "delivery_sent"))
          yield* TestClock.adjust(2 * aMinute)
          expect(yield* claim(store, other)).toStrictEqual(["swap-2", "swap-4"])
        })
      )
    )

    it.effect("claims a swap after its lease ended, and its former owner can change nothing", () =>
      stored((store) =>
        Effect.gen(function* () {
          const [swap] = yield* working(store, order(1))
          if (swap === undefined) return expect.unreachable()
          yield* TestClock.adjust(aMinute)
          expect(yield* claim(store, other)).toStrictEqual([])
          yield* TestClock.adjust(1)
          expect(yield* claim(store, other)).toStrictEqual(["swap-1"])

          const late = yield* Effect.flip(store.change(to(swap, "origin_prepared")))
          expect(late._tag).toBe("Conflict")
          expect(yield* store.renew(me, [swap.id], aMinute)).toStrictEqual([])
          yield* store.release(me, [swap.id])
          expect(yield* claim(store, me)).toStrictEqual([])
          expect(yield* store.swap(swap.id)).toStrictEqual(Option.some(swap))
          expect((yield* store.change(to(swap, "origin_prepared", { owner: other }))).version).toBe(1)
        })
      )
    )

    it.effect("keeps a swap with its owner after the lease ended, until another worker claims it", () =>
      stored((store) =>
        Effect.gen(function* () {
          const [swap] = yield* working(store, order(1))
          if (swap === undefined) return expect.unreachable()
          yield* TestClock.adjust("1 day")
          expect((yield* store.change(to(swap, "origin_prepared"))).version).toBe(1)
          expect(yield* store.renew(me, [swap.id], aMinute)).toStrictEqual([swap.id])
          expect(yield* claim(store, other)).toStrictEqual([])
        })
      )
    )

    it.effect("is delayed by a renewal, for the renewed swaps", () =>
      stored((store) =>
        Effect.gen(function* () {
          yield* accept(store, 1, 2, 3)
          expect(yield* claim(store, me, 2)).toStrictEqual(["swap-1", "swap-2"])
          expect(yield* claim(store, other)).toStrictEqual(["swap-3"])
          yield* TestClock.adjust(aMinute / 2)
          expect(yield* store.renew(me, ["swap-2", "swap-3", "swap-4"], aMinute)).toStrictEqual(["swap-2"])
          expect(yield* store.renew(me, [], aMinute)).toStrictEqual([])
          yield* TestClock.adjust(aMinute / 2 + 1)
          expect(yield* claim(store, "worker-3")).toStrictEqual(["swap-1", "swap-3"])
        })
      )
    )

    it.effect("claims a released swap at once, if its holder released it", () =>
      stored((store) =>
        Effect.gen(function* () {
          yield* accept(store, 1, 2)
          yield* claim(store, me)
          yield* store.release(other, ["swap-1", "swap-2"])
          yield* store.release(me, [])
          expect(yield* claim(store, other)).toStrictEqual([])
          yield* store.release(me, ["swap-2", "swap-3"])
          expect(yield* claim(store, other)).toStrictEqual(["swap-2"])
        })
      )
    )

    it.effect("skips an idle swap until it is due", () =>
      stored((store) =>
        Effect.gen(function* () {
          yield* TestClock.setTime(1_000)
          yield* accept(store, 1, 2)
          yield* claim(store, me)
          yield* store.release(me, ["swap-1"], 5_000.5)
          expect(yield* claim(store, other)).toStrictEqual([])
          yield* TestClock.setTime(6_001)
          expect(yield* claim(store, other)).toStrictEqual([])
          yield* TestClock.setTime(6_002)
          expect(yield* claim(store, other)).toStrictEqual(["swap-1"])
        })
      )
    )

    it.effect("claims every pending swap after all were released, idle or claimed", () =>
      stored((store) =>
        Effect.gen(function* () {
          const [first] = yield* working(store, order(1), order(2), order(3))
          if (first === undefined) return expect.unreachable()
          yield* store.change(to(first, "failed"))
          yield* store.release(me, ["swap-2"], aMinute)
          yield* store.releaseAll
          expect(yield* claim(store, other)).toStrictEqual(["swap-2", "swap-3"])
          expect(yield* store.renew(me, ["swap-3"], aMinute)).toStrictEqual([])
        })
      )
    )

    it.effect("renews and releases thousands at a time", () =>
      stored((store) =>
        Effect.gen(function* () {
          yield* accept(store, 1, 2)
          yield* claim(store, me)
          const ids = ["swap-1", ...Array.from({ length: 40_000 }, (_, number) => `other-${number}`), "swap-2"]
          expect(yield* store.renew(me, ids, aMinute)).toStrictEqual(["swap-1", "swap-2"])
          yield* store.release(me, ids)
          expect(yield* claim(store, other)).toStrictEqual(["swap-1", "swap-2"])
        })
      )
    )
  })
