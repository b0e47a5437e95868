/** Part of the store contract: accepting swaps, once per order. */
import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { SignedOperation } from "../../../src/store/SwapRecord.js"
import {
  bytes,
  countOf,
  held,
  order,
  pausedClock,
  plenty,
  someTurns,
  type Stored,
  through,
  underWay
} from "./fixture.js"

const Amount = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 2n ** 256n - 1n }))
// No database knows a negative zero, and no operation has one.
const isPositive = Schema.makeFilter((value: number) => !Object.is(value, -0))
const Millis = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 52 }), isPositive)
/** Strings that PostgreSQL can store too: no NUL, no half of a surrogate pair. */
const Text = Schema.String.check(Schema.makeFilter((text) => !/[\0\p{Surrogate}]/u.test(text)))
const Numbers = Schema.Struct({
  amount: Amount,
  output: Amount,
  minOutput: Amount,
  networkCost: Amount,
  opensAccount: Schema.Boolean,
  feeBps: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 10_000 }), isPositive),
  originChain: Millis,
  destinationChain: Millis,
  createdAt: Millis,
  wallet: Text
})
const most = 2n ** 256n - 1n

export const acceptSwapContract = (stored: Stored) =>
  describe("Store.accept", () => {
    it.effect("stores the swap, and returns it by its id and by its order", () =>
      stored((store) =>
        Effect.gen(function* () {
          yield* TestClock.setTime(5_000)
          const swap = { ...order(1), state: "accepted", version: 0, updatedAt: 5_000, reserved: true }
          expect(yield* store.accept(order(1), plenty)).toStrictEqual({ _tag: "Inserted", swap })
          expect(yield* store.swap("swap-1")).toStrictEqual(Option.some(swap))
          expect(yield* store.swapOfOrder(bytes(1))).toStrictEqual(Option.some(swap))
          expect(yield* store.swap("swap-2")).toStrictEqual(Option.none())
          expect(yield* store.swapOfOrder(bytes(2))).toStrictEqual(Option.none())
          expect(yield* store.events("swap-1")).toStrictEqual([
            { at: 5_000, state: "accepted", version: 0, detail: "accepted" }
          ])
          expect(yield* store.events("swap-2")).toStrictEqual([])
          expect(yield* store.attempts("swap-1", "collect")).toStrictEqual([])
        })
      )
    )

    it.effect("returns the current swap if the same operation was already accepted", () =>
      stored((store) =>
        Effect.gen(function* () {
          const final = yield* through(store, yield* underWay(store), "origin_prepared", "origin_sent", "settled")
          // A replay has a new id, and comes when neither the wallet nor the inventory has anything left.
          const again = yield* store.accept(order(1, { id: "swap-9" }), { balance: held(0n), inventory: held(0n) })
          expect(again).toStrictEqual({ _tag: "Existing", swap: final })
          expect(yield* store.swap("swap-9")).toStrictEqual(Option.none())
        })
      )
    )

    it.effect("refuses an order that another operation or another account used", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          yield* store.accept(order(1), plenty)
          const used = { _tag: "QuoteUsed" }
          expect(yield* store.accept(order(1, { id: "x", operationHash: bytes(2) }), plenty)).toStrictEqual(used)
          expect(yield* store.accept(order(1, { id: "x", accountId: "account-2" }), plenty)).toStrictEqual(used)
          expect(yield* countOf(sql, "swaps")).toBe(1)
          expect(yield* countOf(sql, "swap_events")).toBe(1)
          expect(yield* countOf(sql, "reservations")).toBe(1)
        })
      )
    )

    it.effect("accepts nothing from the given time, and finds what was accepted before", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          yield* TestClock.setTime(4_999)
          const inTime = { ...plenty, until: 5_000 }
          expect(yield* store.accept(order(1), inTime)).toMatchObject({ _tag: "Inserted" })
          yield* TestClock.setTime(5_000)
          expect(yield* store.accept(order(2), inTime)).toStrictEqual({ _tag: "Late" })
          expect(yield* store.accept(order(1, { id: "swap-9" }), inTime)).toMatchObject({ _tag: "Existing" })
          expect(yield* countOf(sql, "swaps")).toBe(1)
          expect(yield* countOf(sql, "swap_events")).toBe(1)
          expect(yield* countOf(sql, "reservations")).toBe(1)
        })
      )
    )

    it.effect("waits for a running acceptance before it reports that an expired order has no swap", () =>
      stored((store) =>
        Effect.gen(function* () {
          // The acceptance reads the time while it holds the order, and waits there.
          const { clock, opened, reached } = yield* pausedClock(4_999)
          const accepting = yield* Effect.forkChild(
            store.accept(order(1), { ...plenty, until: 5_000 }).pipe(Effect.provideService(Clock.Clock, clock))
          )
          yield* reached
          const looking = yield* Effect.forkChild(store.swapOfExpiredOrder(order(1).orderId))
          yield* someTurns
          expect(looking.pollUnsafe()).toBeUndefined()
          yield* opened
          expect(yield* Fiber.join(accepting)).toMatchObject({ _tag: "Inserted" })
          expect(Option.getOrThrow(yield* Fiber.join(looking))).toMatchObject({ id: order(1).id })
          expect(yield* store.swapOfExpiredOrder(order(2).orderId)).toEqual(Option.none())
        })
      )
    )

    it.effect("creates 20 swaps from 200 concurrent submissions of 20 orders", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          const all = yield* Effect.forEach(
            Array.from({ length: 200 }, (_, submission) => submission),
            (submission) => store.accept(order(submission % 20, { id: `submission-${submission}` }), plenty),
            { concurrency: "unbounded" }
          )
          expect(all.filter(({ _tag }) => _tag === "Inserted")).toHaveLength(20)
          expect(all.filter(({ _tag }) => _tag === "Existing")).toHaveLength(180)
          const ids = all.map((met, submission) => [submission % 20, "swap" in met ? met.swap.id : undefined])
          expect(new Set(ids.map(String)).size).toBe(20)
          for (const table of ["swaps", "swap_events", "reservations"]) expect(yield* countOf(sql, table)).toBe(20)
        })
      )
    )

    it.effect("creates one swap for an order, no matter which wallets and tokens claim it at once", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          const all = yield* Effect.forEach(
            Array.from({ length: 30 }, (_, n) => n),
            (n) =>
              store.accept(
                order(1, { id: `swap-${n}`, wallet: `0x${n}`, outputToken: `0x${n}`, operationHash: bytes(n % 2) }),
                plenty
              ),
            { concurrency: "unbounded" }
          )
          const count = (tag: string) => all.filter(({ _tag }) => _tag === tag).length
          expect([count("Inserted"), count("Existing"), count("QuoteUsed")]).toStrictEqual([1, 14, 15])
          expect(yield* countOf(sql, "reservations")).toBe(1)
        })
      )
    )

    it.effect.prop(
      "loses nothing of any amounts, fees and times",
      [Numbers],
      ([numbers]) =>
        stored((store) =>
          Effect.gen(function* () {
            const given = order(1, numbers)
            expect(yield* store.accept(given, { balance: held(most), inventory: held(most) })).toMatchObject({
              swap: given
            })
            const read = yield* Effect.flatMap(store.swap("swap-1"), Effect.fromOption)
            expect(read).toStrictEqual({ ...given, state: "accepted", version: 0, updatedAt: 0, reserved: true })
          })
        ),
      { arbitrary: { runs: 40 }, timeout: 120_000 }
    )

    it.effect.prop(
      "loses nothing of any operation",
      [SignedOperation, Amount],
      ([given, nonce]) =>
        stored((store) =>
          Effect.gen(function* () {
            // The nonce is a number that a build chose; everything else may be any text.
            const operation = given._tag === "evm" ? { ...given, nonce: `${nonce}` } : given
            yield* store.accept(order(1, { operation }), plenty)
            const read = yield* Effect.flatMap(store.swap("swap-1"), Effect.fromOption)
            expect(read.operation).toStrictEqual(JSON.parse(JSON.stringify(operation)))
          })
        ),
      { arbitrary: { runs: 40 }, timeout: 120_000 }
    )

    it.effect("keeps values that floating point would lose", () =>
      stored((store) =>
        Effect.gen(function* () {
          const edges = [0n, 1n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 128n + 1n, most - 1n, most]
          for (const [number, amount] of edges.entries()) {
            const given = order(number, { amount, output: amount, minOutput: amount, wallet: `wallet-${number}` })
            const met = yield* store.accept(given, { balance: held(amount), inventory: held(2n ** 300n) })
            expect(met).toMatchObject({ _tag: "Inserted", swap: given })
          }
        })
      )
    )
  })
