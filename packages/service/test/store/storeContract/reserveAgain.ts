/** Part of the store contract: outputs that are released early and reserved again. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { aMinute, countOf, held, me, order, plenty, type Stored, to, underWay, working } from "./fixture.js"

const other = "worker-2"

export const reserveAgainContract = (stored: Stored) =>
  describe("Store.reserve", () => {
    it.effect("allows releasing an output early, and another swap can reserve it", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          const swap = yield* underWay(store)
          const scarce = { ...plenty, inventory: held(4n) }
          expect((yield* store.accept(order(2), scarce))._tag).toBe("InventoryReserved")
          const released = yield* store.change(to(swap, "accepted", { releases: true }))
          expect(released).toMatchObject({ state: "accepted", reserved: false, version: 1 })
          expect(yield* countOf(sql, "reservations")).toBe(0)
          expect((yield* store.accept(order(2), scarce))._tag).toBe("Inserted")
        })
      )
    )

    it.effect("reserves the output again within the inventory, without changing the time of the state", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          const swap = yield* underWay(store)
          const released = yield* store.change(to(swap, "origin_final", { releases: true }))
          yield* TestClock.adjust(1_000)
          expect(yield* store.reserve(released, me, held(3n))).toStrictEqual({ _tag: "Full", reserved: 0n })
          const reserved = yield* store.reserve(released, me, held(4n))
          expect(reserved).toStrictEqual({
            _tag: "Reserved",
            swap: { ...released, reserved: true, version: released.version + 1 }
          })
          expect(yield* countOf(sql, "reservations")).toBe(1)
          expect((yield* store.events(swap.id)).at(-1)?.detail).toBe("the output is reserved again")
        })
      )
    )

    it.effect("counts outputs reserved for other swaps, and refuses an outdated inventory", () =>
      stored((store) =>
        Effect.gen(function* () {
          const [first, second, third] = yield* working(store, order(1), order(2), order(3))
          if (!first || !second || !third) return expect.unreachable()
          const released = yield* store.change(to(first, "origin_final", { releases: true }))
          expect(yield* store.reserve(released, me, held(11n))).toStrictEqual({ _tag: "Full", reserved: 8n })
          yield* store.change(to(third, "settled", { block: 100n }))
          expect(yield* store.reserve(released, me, held(11n, 99n))).toStrictEqual({
            _tag: "Outdated",
            inventorySince: 100n
          })
          expect((yield* store.reserve(released, me, held(8n, 100n)))._tag).toBe("Reserved")
        })
      )
    )

    it.effect("refuses a worker without a claim, an old version, a second reservation, and a refunded swap", () =>
      stored((store) =>
        Effect.gen(function* () {
          const swap = yield* underWay(store)
          const released = yield* store.change(to(swap, "origin_final", { releases: true }))
          const refused = (given: typeof swap, owner: string) =>
            Effect.map(Effect.flip(store.reserve(given, owner, held(100n))), ({ _tag }) => _tag)
          expect(yield* refused(released, other)).toBe("Conflict")
          expect(yield* refused(swap, me)).toBe("Conflict")
          const reserved = yield* store.reserve(released, me, held(100n))
          if (reserved._tag !== "Reserved") return expect.unreachable()
          expect(yield* refused(reserved.swap, me)).toBe("Conflict")
          const refunding = yield* store.change(to(reserved.swap, "refund_prepared", { refundAmount: 9n }))
          expect(refunding).toMatchObject({ reserved: false, refundAmount: 9n })
          expect(yield* refused(refunding, me)).toBe("Conflict")
        })
      )
    )

    it.effect("keeps the time of the quote and the refund amount", () =>
      stored((store) =>
        Effect.gen(function* () {
          const swap = yield* underWay(store, 1, { quotedAt: 1_767_225_500_000 })
          expect(swap.quotedAt).toBe(1_767_225_500_000)
          const refunding = yield* store.change(to(swap, "refund_prepared", { refundAmount: 9n }))
          const ended = yield* store.change(to(refunding, "refunded"))
          expect(ended).toMatchObject({ refundAmount: 9n, quotedAt: 1_767_225_500_000, reserved: false })
        })
      )
    )

    it.effect("claims one swap by its id, if no worker has claimed it", () =>
      stored((store) =>
        Effect.gen(function* () {
          const [first, second] = yield* working(store, order(1), order(2))
          if (!first || !second) return expect.unreachable()
          const claimOne = (id: string) => store.claimOne({ id, owner: other, leaseMillis: aMinute })
          expect(yield* claimOne(first.id)).toStrictEqual(Option.none())
          // Let go for an hour: no worker claims it until then.
          yield* store.release(me, [first.id], 60 * aMinute)
          expect(yield* store.claim({ owner: other, leaseMillis: aMinute, limit: 10 })).toStrictEqual([])
          expect(Option.map(yield* claimOne(first.id), ({ id }) => id)).toStrictEqual(Option.some(first.id))
          expect((yield* store.change({ ...to(first, "failed"), owner: other })).state).toBe("failed")
          expect(yield* claimOne(first.id)).toStrictEqual(Option.none())
          yield* TestClock.adjust(aMinute + 1)
          expect(Option.isSome(yield* claimOne(second.id))).toBe(true)
          expect(yield* claimOne("swap-9")).toStrictEqual(Option.none())
        })
      )
    )
  })
