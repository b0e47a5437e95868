/** Part of the store contract: outputs that are released early and reserved again. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { equals, matches, violated } from "../contractAssertions.js"
import { aMinute, held, me, notClaimed, order, plenty, to, underWay, working, accept, reserve } from "./fixture.js"
import { type Case, group, test } from "./storeCase.js"

const other = "worker-2"

export const reserveAgainCases: ReadonlyArray<Case> = group("Store.reserve", [
  test("allows an output to be released early and then reserved by another swap", (store) =>
    Effect.gen(function* () {
      const swap = yield* underWay(store)
      const scarce = { ...plenty, inventory: held(4n) }
      equals((yield* accept(store, order(2), scarce))._tag, "output exceeded")
      const released = yield* store.change(to(swap, "accepted", { releases: true }))
      matches(released, { state: "accepted", reserved: false, version: 1 })
      equals(yield* store.reserved, [])
      equals((yield* accept(store, order(2), scarce))._tag, "Inserted")
    })),

  test("reserves the output again within the inventory, without changing when the state started", (store) =>
    Effect.gen(function* () {
      const swap = yield* underWay(store)
      const released = yield* store.change(to(swap, "origin_final", { releases: true }))
      yield* TestClock.adjust(1_000)
      equals(yield* reserve(store, released, me, held(3n)), { _tag: "output exceeded", used: 0n })
      const reserved = yield* reserve(store, released, me, held(4n))
      equals(reserved, {
        _tag: "Reserved",
        swap: { ...released, reserved: true, version: released.version + 1 }
      })
      equals(
        (yield* store.reserved).map(({ amount }) => amount),
        [4n]
      )
      equals((yield* store.events(swap.id)).at(-1)?.detail, "the output is reserved again")
    })),

  test("counts outputs reserved for other swaps, and rejects an outdated inventory", (store) =>
    Effect.gen(function* () {
      const [first, second, third] = yield* working(store, order(1), order(2), order(3))
      if (!first || !second || !third) return notClaimed()
      const released = yield* store.change(to(first, "origin_final", { releases: true }))
      equals(yield* reserve(store, released, me, held(11n)), { _tag: "output exceeded", used: 8n })
      yield* store.change(to(third, "settled", { block: 100n }))
      equals(yield* reserve(store, released, me, held(11n, 99n)), {
        _tag: "Outdated",
        balanceSince: 0n,
        inventorySince: 100n
      })
      equals((yield* reserve(store, released, me, held(8n, 100n)))._tag, "Reserved")
    })),

  test("rejects a worker without a claim, an old version, a second reservation, and a refunding swap", (store) =>
    Effect.gen(function* () {
      const swap = yield* underWay(store)
      const released = yield* store.change(to(swap, "origin_final", { releases: true }))
      const refused = (given: typeof swap, owner: string) =>
        Effect.map(Effect.flip(reserve(store, given, owner, held(100n))), ({ _tag }) => _tag)
      equals(yield* refused(released, other), "Conflict")
      equals(yield* refused(swap, me), "Conflict")
      const reserved = yield* reserve(store, released, me, held(100n))
      if (reserved._tag !== "Reserved") return violated(`expected Reserved, got ${reserved._tag}.`)
      equals(yield* refused(reserved.swap, me), "Conflict")
      const refunding = yield* store.change(to(reserved.swap, "refund_prepared", { refundAmount: 9n }))
      matches(refunding, { reserved: false, refundAmount: 9n })
      equals(yield* refused(refunding, me), "Conflict")
    })),

  test("keeps the quote's time and the refund amount", (store) =>
    Effect.gen(function* () {
      const swap = yield* underWay(store, 1, { quotedAt: 1_767_225_500_000 })
      equals(swap.quotedAt, 1_767_225_500_000)
      const refunding = yield* store.change(to(swap, "refund_prepared", { refundAmount: 9n }))
      const ended = yield* store.change(to(refunding, "refunded"))
      matches(ended, { refundAmount: 9n, quotedAt: 1_767_225_500_000, reserved: false })
    })),

  test("claims one swap by its id, if no worker has claimed it", (store) =>
    Effect.gen(function* () {
      const [first, second] = yield* working(store, order(1), order(2))
      if (!first || !second) return notClaimed()
      const claimOne = (id: string) => store.claimOne({ id, owner: other, leaseMillis: aMinute })
      equals(yield* claimOne(first.id), Option.none())
      // The swap is released with an idle time of an hour, so no worker claims it before that hour has elapsed.
      yield* store.release(me, [first.id], 60 * aMinute)
      equals(yield* store.claim({ owner: other, leaseMillis: aMinute, limit: 10 }), [])
      equals(
        Option.map(yield* claimOne(first.id), ({ id }) => id),
        Option.some(first.id)
      )
      equals((yield* store.change({ ...to(first, "failed"), owner: other })).state, "failed")
      equals(yield* claimOne(first.id), Option.none())
      yield* TestClock.adjust(aMinute + 1)
      equals(Option.isSome(yield* claimOne(second.id)), true)
      equals(yield* claimOne("swap-9"), Option.none())
    }))
])
