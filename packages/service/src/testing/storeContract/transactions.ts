/** Part of the store contract: nonces, intents and attempts. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Attempt, Kind, SwapRecord } from "../../domain/SwapRecord.js"
import type { Store } from "../../store/Store.js"
import type { Intent } from "../../store/swaps/Change.js"
import { equals, holds, matches } from "../contractAssertions.js"
import { attempt, bytes, order, relayer, to, underWay, working } from "./fixture.js"
import { type Case, group, test } from "./storeCase.js"

const intent = (attempt: Attempt, over: Partial<Intent> = {}): Intent => ({
  kind: "collect",
  chainId: 31_337,
  signer: relayer,
  attempt,
  ...over
})

/** Stores a further attempt together with a change to `origin_prepared`. */
const attempted = (store: Store, swap: SwapRecord, next: Attempt, over: Partial<Intent> = {}) =>
  store.change(to(swap, "origin_prepared", { intent: intent(next, over) }))

const next = (store: Store) => store.nextNonce(31_337, relayer)

const kinds: ReadonlyArray<Kind> = ["collect", "deliver", "refund"]

export const transactionsCases: ReadonlyArray<Case> = group("transactions", [
  test("start at nonce 0, and follow the chain's nonce up but never down", (store) =>
    Effect.gen(function* () {
      equals(yield* next(store), 0)
      equals(yield* next(store), 0)
      yield* store.raiseNonce(31_337, relayer.toLowerCase(), 7)
      yield* store.raiseNonce(31_337, relayer, 3)
      equals(yield* next(store), 7)
      equals(yield* store.nextNonce(1, relayer), 0)
      yield* store.raiseNonce(5, relayer, 9)
      equals(yield* store.nextNonce(5, relayer), 9)
    })),

  test("take the relayer's next nonce with their first attempt only", (store) =>
    Effect.gen(function* () {
      equals(yield* next(store), 0)
      const swap = yield* underWay(store)
      const first = attempt(1)
      const prepared = yield* attempted(store, swap, first)
      equals(yield* next(store), 1)
      // A fee bump, and then an attempt that only uses up the nonce. The clock may go backwards between the two
      // attempts.
      const bump = attempt(2, { maxFeePerGas: 2n ** 200n, createdAt: 5 })
      const cancel = attempt(3, { cancels: true, createdAt: 4 })
      const bumped = yield* attempted(store, prepared, bump, { signer: relayer.toLowerCase() })
      const cancelled = yield* attempted(store, bumped, cancel)
      equals(yield* next(store), 1)
      equals(cancelled.version, 3)
      equals(yield* store.attempts(swap.id, "collect"), [first, bump, cancel])
      equals(yield* store.attempts(swap.id, "deliver"), [])
      equals(yield* store.attempts("swap-2", "collect"), [])
    })),

  test("store an attempt only once, even if it is submitted repeatedly", (store) =>
    Effect.gen(function* () {
      yield* next(store)
      const first = yield* attempted(store, yield* underWay(store), attempt(1))
      const second = yield* attempted(store, first, attempt(2))
      const third = yield* attempted(store, second, attempt(1, { raw: "0xother" }))
      equals(third.version, 3)
      equals(yield* store.attempts(third.id, "collect"), [attempt(1), attempt(2)])
    })),

  test("have no nonce on Solana, and can have any number of attempts", (store) =>
    Effect.gen(function* () {
      const signed = (number: number): Attempt => ({
        raw: `base64-${number}`,
        hash: `signature-${number}`,
        lastValidBlockHeight: 2n ** 63n + BigInt(number),
        cancels: false,
        createdAt: number
      })
      const place = { chainId: 900, signer: "ReLayer" }
      const first = yield* attempted(store, yield* underWay(store), signed(1), place)
      const second = yield* attempted(store, first, signed(2), place)
      const other = { ...place, kind: "deliver" } as const
      yield* attempted(store, second, signed(3), other)
      equals(yield* store.attempts(first.id, "collect"), [signed(1), signed(2)])
      equals(yield* store.attempts(first.id, "deliver"), [signed(3)])
    })),

  test("take a new nonce when the old one is given up, and keep the old attempts", (store) =>
    Effect.gen(function* () {
      yield* next(store)
      const first = yield* attempted(store, yield* underWay(store), attempt(1))
      yield* store.raiseNonce(31_337, relayer, 5)
      const again = attempt(2, { nonce: 5 })
      const replaced = yield* attempted(store, first, again)
      equals(yield* next(store), 6)
      const bump = attempt(3, { nonce: 5 })
      const bumped = yield* attempted(store, replaced, bump)
      equals(yield* next(store), 6)
      equals(yield* store.attempts(first.id, "collect"), [attempt(1), again, bump])
      // The abandoned nonce no longer belongs to any swap.
      matches(yield* Effect.flip(attempted(store, bumped, attempt(4))), { _tag: "Conflict" })
      equals((yield* store.attempts(first.id, "collect")).length, 3)
    })),

  test("take another nonce if another relayer signs", (store) =>
    Effect.gen(function* () {
      const other = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"
      yield* next(store)
      yield* store.nextNonce(31_337, other)
      const first = yield* attempted(store, yield* underWay(store), attempt(1))
      yield* attempted(store, first, attempt(2), { signer: other })
      equals(yield* next(store), 1)
      equals(yield* store.nextNonce(31_337, other), 1)
    })),

  test("take a nonce for each kind", (store) =>
    Effect.gen(function* () {
      yield* next(store)
      let swap = yield* underWay(store)
      for (const [nonce, kind] of kinds.entries()) swap = yield* attempted(store, swap, attempt(9, { nonce }), { kind })
      equals(yield* next(store), 3)
      for (const [nonce, kind] of kinds.entries()) {
        equals(yield* store.attempts(swap.id, kind), [attempt(9, { nonce })])
      }
    })),

  test("from many swaps compete for a nonce: one gets it, and the others change nothing", (store) =>
    Effect.gen(function* () {
      yield* next(store)
      const swaps = yield* working(store, ...[1, 2, 3, 4, 5].map((number) => order(number)))
      const all = yield* Effect.forEach(
        swaps,
        (swap, number) => Effect.result(attempted(store, swap, attempt(number))),
        { concurrency: "unbounded" }
      )
      equals(all.filter(Result.isSuccess).length, 1)
      // A change that failed only because its nonce was taken can be repeated with the next nonce.
      for (const lost of all.filter(Result.isFailure)) {
        matches(lost.failure, { _tag: "Conflict", nonce: true })
      }
      equals(yield* next(store), 1)
      const attempts = yield* Effect.forEach(swaps, ({ id }) => store.attempts(id, "collect"))
      equals(attempts.flat().length, 1)
      const states = yield* Effect.forEach(swaps, ({ id }) => Effect.flatMap(store.swap(id), Effect.fromOption))
      equals(states.filter(({ state, version }) => state === "accepted" && version === 0).length, 4)
    })),

  test("with a nonce that is not the next one change nothing", (store) =>
    Effect.gen(function* () {
      const swap = yield* underWay(store)
      // An unknown relayer has no next nonce.
      matches(yield* Effect.flip(attempted(store, swap, attempt(1))), { _tag: "Conflict" })
      yield* store.raiseNonce(31_337, relayer, 4)
      for (const nonce of [0, 3, 5]) {
        matches(yield* Effect.flip(attempted(store, swap, attempt(1, { nonce }))), {
          _tag: "Conflict"
        })
      }
      equals(yield* store.swap(swap.id), Option.some(swap))
      equals((yield* store.events(swap.id)).length, 1)
      equals(yield* store.attempts(swap.id, "collect"), [])
      equals(yield* next(store), 4)
    })),

  test("leave their nonce free if the change is rolled back", (store) =>
    Effect.gen(function* () {
      yield* next(store)
      const swap = yield* underWay(store)
      const stale = { ...swap, version: 9 }
      const refused = yield* Effect.flip(attempted(store, stale, attempt(1)))
      matches(refused, { _tag: "Conflict" })
      holds(!("nonce" in refused), "expected no nonce.")
      equals(yield* next(store), 0)
      equals(yield* store.swap(swap.id), Option.some(swap))
      equals((yield* attempted(store, swap, attempt(1, { hash: bytes(5) }))).version, 1)
      equals(yield* next(store), 1)
    }))
])
