/** Part of the store contract: accepting swaps, once per order. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { SignedOperation } from "../../domain/SwapRecord.js"
import { equals, matches } from "../contractAssertions.js"
import { bytes, contentsOf, held, order, pausedClock, plenty, someTurns, through, underWay, accept } from "./fixture.js"
import { type Case, group, property, test } from "./storeCase.js"

const Amount = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 2n ** 256n - 1n }))
// No database supports negative zero, and no operation contains it.
const isPositive = Schema.makeFilter((value: number) => !Object.is(value, -0))
const Millis = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 52 }), isPositive)
/** Strings that PostgreSQL can also store: no NUL characters and no unpaired surrogates. */
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

export const acceptSwapCases: ReadonlyArray<Case> = group("Store.accept", [
  test("stores the swap, and returns it by its id and by its order", (store) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(5_000)
      const swap = { ...order(1), state: "accepted", version: 0, updatedAt: 5_000, reserved: true }
      equals(yield* accept(store, order(1), plenty), { _tag: "Inserted", swap })
      equals(yield* store.swap("swap-1"), Option.some(swap))
      equals(yield* store.swapOfOrder(bytes(1)), Option.some(swap))
      equals(yield* store.swap("swap-2"), Option.none())
      equals(yield* store.swapOfOrder(bytes(2)), Option.none())
      equals(yield* store.events("swap-1"), [{ at: 5_000, state: "accepted", version: 0, detail: "accepted" }])
      equals(yield* store.events("swap-2"), [])
      equals(yield* store.attempts("swap-1", "collect"), [])
    })),

  test("returns the current swap if the same operation has already been accepted", (store) =>
    Effect.gen(function* () {
      const final = yield* through(store, yield* underWay(store), "origin_prepared", "origin_sent", "settled")
      // The replayed request has a new id, and arrives when neither the wallet nor the inventory has anything left.
      const again = yield* accept(store, order(1, { id: "swap-9" }), { balance: held(0n), inventory: held(0n) })
      equals(again, { _tag: "Existing", swap: final })
      equals(yield* store.swap("swap-9"), Option.none())
    })),

  test("refuses an order that another operation or another account has used", (store) =>
    Effect.gen(function* () {
      yield* accept(store, order(1), plenty)
      const used = { _tag: "QuoteUsed" }
      equals(yield* accept(store, order(1, { id: "x", operationHash: bytes(2) }), plenty), used)
      equals(yield* accept(store, order(1, { id: "x", accountId: "account-2" }), plenty), used)
      equals(yield* contentsOf(store), { swaps: 1, events: 1, reserved: 4n })
    })),

  test("accepts nothing at or after the given time, and finds what was accepted before", (store) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(4_999)
      const inTime = { ...plenty, until: 5_000 }
      matches(yield* accept(store, order(1), inTime), { _tag: "Inserted" })
      yield* TestClock.setTime(5_000)
      equals(yield* accept(store, order(2), inTime), { _tag: "Late" })
      matches(yield* accept(store, order(1, { id: "swap-9" }), inTime), { _tag: "Existing" })
      equals(yield* contentsOf(store), { swaps: 1, events: 1, reserved: 4n })
    })),

  test("waits for an acceptance in progress before it reports that an expired order has no swap", (store) =>
    Effect.gen(function* () {
      // The acceptance reads the time while it holds the order's lock, and the paused clock makes it wait at that
      // point.
      const { clock, opened, reached } = yield* pausedClock(4_999)
      const accepting = yield* Effect.forkChild(
        accept(store, order(1), { ...plenty, until: 5_000 }).pipe(Effect.provideService(Clock.Clock, clock))
      )
      yield* Effect.raceFirst(reached, Fiber.await(accepting))
      equals(accepting.pollUnsafe(), undefined)
      const looking = yield* Effect.forkChild(store.swapOfExpiredOrder(order(1).orderId))
      yield* someTurns
      equals(looking.pollUnsafe(), undefined)
      yield* opened
      matches(yield* Fiber.join(accepting), { _tag: "Inserted" })
      matches(Option.getOrThrow(yield* Fiber.join(looking)), { id: order(1).id })
      equals(yield* store.swapOfExpiredOrder(order(2).orderId), Option.none())
    })),

  test("creates 20 swaps from 200 concurrent submissions for 20 orders", (store) =>
    Effect.gen(function* () {
      const all = yield* Effect.forEach(
        Array.from({ length: 200 }, (_, submission) => submission),
        (submission) => accept(store, order(submission % 20, { id: `submission-${submission}` }), plenty),
        { concurrency: "unbounded" }
      )
      equals(all.filter(({ _tag }) => _tag === "Inserted").length, 20)
      equals(all.filter(({ _tag }) => _tag === "Existing").length, 180)
      const ids = all.map((met, submission) => [submission % 20, "swap" in met ? met.swap.id : undefined])
      equals(new Set(ids.map(String)).size, 20)
      equals(yield* contentsOf(store), { swaps: 20, events: 20, reserved: 80n })
    })),

  test("creates one swap for an order, no matter which wallets and tokens use it concurrently", (store) =>
    Effect.gen(function* () {
      const all = yield* Effect.forEach(
        Array.from({ length: 30 }, (_, n) => n),
        (n) =>
          accept(
            store,
            order(1, { id: `swap-${n}`, wallet: `0x${n}`, outputToken: `0x${n}`, operationHash: bytes(n % 2) }),
            plenty
          ),
        { concurrency: "unbounded" }
      )
      const count = (tag: string) => all.filter(({ _tag }) => _tag === tag).length
      equals([count("Inserted"), count("Existing"), count("QuoteUsed")], [1, 14, 15])
      equals(yield* contentsOf(store), { swaps: 1, events: 1, reserved: 4n })
    })),

  property("stores any amounts, fees and times without loss", Numbers, (store, numbers) =>
    Effect.gen(function* () {
      const given = order(1, numbers)
      matches(yield* accept(store, given, { balance: held(most), inventory: held(most) }), {
        swap: given
      })
      const read = yield* Effect.flatMap(store.swap("swap-1"), Effect.fromOption)
      equals(read, { ...given, state: "accepted", version: 0, updatedAt: 0, reserved: true })
    })
  ),

  property("stores any operation without loss", Schema.Tuple([SignedOperation, Amount]), (store, [given, nonce]) =>
    Effect.gen(function* () {
      // A build call chooses the nonce, so the nonce is always a number, and the chain reports the target, so the target is
      // always an address. All other fields may be any text.
      const target = `0x${(nonce % 2n ** 160n).toString(16).padStart(40, "0")}`
      const operation =
        given._tag === "evm" ? { ...given, nonce: `${nonce}`, ...("target" in given && { target }) } : given
      yield* accept(store, order(1, { operation }), plenty)
      const read = yield* Effect.flatMap(store.swap("swap-1"), Effect.fromOption)
      equals(read.operation, JSON.parse(JSON.stringify(operation)))
    })
  ),

  test("preserves values that floating point would lose", (store) =>
    Effect.gen(function* () {
      const edges = [0n, 1n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 128n + 1n, most - 1n, most]
      for (const [number, amount] of edges.entries()) {
        const given = order(number, { amount, output: amount, minOutput: amount, wallet: `wallet-${number}` })
        const met = yield* accept(store, given, { balance: held(amount), inventory: held(2n ** 300n) })
        matches(met, { _tag: "Inserted", swap: given })
      }
    }))
])
