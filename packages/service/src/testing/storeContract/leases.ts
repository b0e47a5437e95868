/** Part of the store contract: leases. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import type { Store } from "../../store/Store.js"
import { equals } from "../contractAssertions.js"
import { aMinute, accept as acceptOne, me, notClaimed, order, plenty, to, working } from "./fixture.js"
import { type Case, group, test } from "./storeCase.js"

const other = "worker-2"
const claim = (store: Store, owner: string, limit = 10) =>
  Effect.map(store.claim({ owner, leaseMillis: aMinute, limit }), (swaps) => swaps.map(({ id }) => id))
const accept = (store: Store, ...numbers: ReadonlyArray<number>) =>
  Effect.forEach(numbers, (number) => acceptOne(store, order(number), plenty))

export const leasesCases: ReadonlyArray<Case> = group("claiming", [
  test("returns the oldest swaps first, up to the limit, each to one worker", (store) =>
    Effect.gen(function* () {
      yield* accept(store, 30, 10, 20, 40)
      equals(yield* claim(store, me, 0), [])
      equals(yield* claim(store, me, -1), [])
      equals(yield* claim(store, me, 3), ["swap-10", "swap-20", "swap-30"])
      equals(yield* claim(store, other), ["swap-40"])
      equals(yield* claim(store, me), [])
    })),

  test("returns the swap as stored", (store) =>
    Effect.gen(function* () {
      const [swap] = yield* working(store, order(1))
      equals(yield* store.swap("swap-1"), Option.fromUndefinedOr(swap))
      equals(swap, { ...order(1), state: "accepted", version: 0, updatedAt: 0, reserved: true })
    })),

  test("never returns the same swap to two concurrent workers", (store) =>
    Effect.gen(function* () {
      yield* accept(store, ...Array.from({ length: 40 }, (_, number) => number))
      const claims = yield* Effect.forEach([1, 2, 3, 4, 5, 6], (worker) => claim(store, `worker-${worker}`, 7), {
        concurrency: "unbounded"
      })
      equals(new Set(claims.flat()).size, claims.flat().length)
      equals(claims.flat().length, 40)
    })),

  test("skips only swaps in terminal states", (store) =>
    Effect.gen(function* () {
      const swaps = yield* working(store, order(1), order(2), order(3), order(4))
      const [first, second, third, fourth] = swaps
      if (!first || !second || !third || !fourth) return notClaimed()
      yield* store.change(to(first, "failed"))
      yield* store.change(to(second, "refund_sent"))
      yield* store.change(to(third, "settled"))
      yield* store.change(to(fourth, "delivery_sent"))
      yield* TestClock.adjust(2 * aMinute)
      equals(yield* claim(store, other), ["swap-2", "swap-4"])
    })),

  test("claims a swap after its lease has expired, and its former owner can no longer change it", (store) =>
    Effect.gen(function* () {
      const [swap] = yield* working(store, order(1))
      if (swap === undefined) return notClaimed()
      yield* TestClock.adjust(aMinute)
      equals(yield* claim(store, other), [])
      yield* TestClock.adjust(1)
      equals(yield* claim(store, other), ["swap-1"])

      const late = yield* Effect.flip(store.change(to(swap, "origin_prepared")))
      equals(late._tag, "Conflict")
      equals(yield* store.renew(me, [swap.id], aMinute), [])
      yield* store.release(me, [swap.id])
      equals(yield* claim(store, me), [])
      equals(yield* store.swap(swap.id), Option.some(swap))
      equals((yield* store.change(to(swap, "origin_prepared", { owner: other }))).version, 1)
    })),

  test("leaves a swap with its owner after the lease has expired, until another worker claims it", (store) =>
    Effect.gen(function* () {
      const [swap] = yield* working(store, order(1))
      if (swap === undefined) return notClaimed()
      yield* TestClock.adjust("1 day")
      equals((yield* store.change(to(swap, "origin_prepared"))).version, 1)
      equals(yield* store.renew(me, [swap.id], aMinute), [swap.id])
      equals(yield* claim(store, other), [])
    })),

  test("is delayed only for swaps whose lease was renewed", (store) =>
    Effect.gen(function* () {
      yield* accept(store, 1, 2, 3)
      equals(yield* claim(store, me, 2), ["swap-1", "swap-2"])
      equals(yield* claim(store, other), ["swap-3"])
      yield* TestClock.adjust(aMinute / 2)
      equals(yield* store.renew(me, ["swap-2", "swap-3", "swap-4"], aMinute), ["swap-2"])
      equals(yield* store.renew(me, [], aMinute), [])
      yield* TestClock.adjust(aMinute / 2 + 1)
      equals(yield* claim(store, "worker-3"), ["swap-1", "swap-3"])
    })),

  test("claims a released swap immediately, if its owner released it", (store) =>
    Effect.gen(function* () {
      yield* accept(store, 1, 2)
      yield* claim(store, me)
      yield* store.release(other, ["swap-1", "swap-2"])
      yield* store.release(me, [])
      equals(yield* claim(store, other), [])
      yield* store.release(me, ["swap-2", "swap-3"])
      equals(yield* claim(store, other), ["swap-2"])
    })),

  test("skips an idle swap until its idle time is over", (store) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000)
      yield* accept(store, 1, 2)
      yield* claim(store, me)
      yield* store.release(me, ["swap-1"], 5_000.5)
      equals(yield* claim(store, other), [])
      yield* TestClock.setTime(6_001)
      equals(yield* claim(store, other), [])
      yield* TestClock.setTime(6_002)
      equals(yield* claim(store, other), ["swap-1"])
    })),

  test("claims every pending swap, idle or claimed, after all have been released", (store) =>
    Effect.gen(function* () {
      const [first] = yield* working(store, order(1), order(2), order(3))
      if (first === undefined) return notClaimed()
      yield* store.change(to(first, "failed"))
      yield* store.release(me, ["swap-2"], aMinute)
      yield* store.releaseAll
      equals(yield* claim(store, other), ["swap-2", "swap-3"])
      equals(yield* store.renew(me, ["swap-3"], aMinute), [])
    })),

  test("renews and releases thousands of swaps at a time", (store) =>
    Effect.gen(function* () {
      yield* accept(store, 1, 2)
      yield* claim(store, me)
      const ids = ["swap-1", ...Array.from({ length: 40_000 }, (_, number) => `other-${number}`), "swap-2"]
      equals(yield* store.renew(me, ids, aMinute), ["swap-1", "swap-2"])
      yield* store.release(me, ids)
      equals(yield* claim(store, other), ["swap-1", "swap-2"])
    }))
])
