/** Part of the store contract: nonces, intents and attempts. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Intent, Store } from "../../../src/store/Store.js"
import type { Attempt, Kind, SwapRecord } from "../../../src/store/SwapRecord.js"
import { attempt, bytes, countOf, order, relayer, type Stored, to, underWay, working } from "./fixture.js"

const intent = (attempt: Attempt, over: Partial<Intent> = {}): Intent => ({
  kind: "collect",
  chainId: 31_337,
  signer: relayer,
  attempt,
  ...over
})

/** Stores another attempt with a change that keeps the state. */
const attempted = (store: Store["Service"], swap: SwapRecord, next: Attempt, over: Partial<Intent> = {}) =>
  store.change(to(swap, "origin_prepared", { intent: intent(next, over) }))

const next = (store: Store["Service"]) => store.nextNonce(31_337, relayer)

export const transactionsContract = (stored: Stored) =>
  describe("transactions", () => {
    it.effect("start at nonce 0, and follow the chain up, never down", () =>
      stored((store) =>
        Effect.gen(function* () {
          expect(yield* next(store)).toBe(0)
          expect(yield* next(store)).toBe(0)
          yield* store.raiseNonce(31_337, relayer.toLowerCase(), 7)
          yield* store.raiseNonce(31_337, relayer, 3)
          expect(yield* next(store)).toBe(7)
          expect(yield* store.nextNonce(1, relayer)).toBe(0)
          yield* store.raiseNonce(5, relayer, 9)
          expect(yield* store.nextNonce(5, relayer)).toBe(9)
        })
      )
    )

    it.effect("take the relayer's next nonce with their first attempt only", () =>
      stored((store) =>
        Effect.gen(function* () {
          expect(yield* next(store)).toBe(0)
          const swap = yield* underWay(store)
          const first = attempt(1)
          const prepared = yield* attempted(store, swap, first)
          expect(yield* next(store)).toBe(1)
          // A bump, and then one that only uses the nonce up; the clock may go back between them.
          const bump = attempt(2, { maxFeePerGas: 2n ** 200n, createdAt: 5 })
          const cancel = attempt(3, { cancels: true, createdAt: 4 })
          const bumped = yield* attempted(store, prepared, bump, { signer: relayer.toLowerCase() })
          const cancelled = yield* attempted(store, bumped, cancel)
          expect(yield* next(store)).toBe(1)
          expect(cancelled.version).toBe(3)
          expect(yield* store.attempts(swap.id, "collect")).toStrictEqual([first, bump, cancel])
          expect(yield* store.attempts(swap.id, "deliver")).toStrictEqual([])
          expect(yield* store.attempts("swap-2", "collect")).toStrictEqual([])
        })
      )
    )

    it.effect("store an attempt once, even if it is stored repeatedly", () =>
      stored((store) =>
        Effect.gen(function* () {
          yield* next(store)
          const first = yield* attempted(store, yield* underWay(store), attempt(1))
          const second = yield* attempted(store, first, attempt(2))
          const third = yield* attempted(store, second, attempt(1, { raw: "0xother" }))
          expect(third.version).toBe(3)
          expect(yield* store.attempts(third.id, "collect")).toStrictEqual([attempt(1), attempt(2)])
        })
      )
    )

    it.effect("have no nonce on Solana, and any number of attempts", () =>
      stored((store) =>
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
          expect(yield* store.attempts(first.id, "collect")).toStrictEqual([signed(1), signed(2)])
          expect(yield* store.attempts(first.id, "deliver")).toStrictEqual([signed(3)])
        })
      )
    )

    it.effect("take a new nonce when the old one is given up, and keep the old attempts", () =>
      stored((store) =>
        Effect.gen(function* () {
          yield* next(store)
          const first = yield* attempted(store, yield* underWay(store), attempt(1))
          yield* store.raiseNonce(31_337, relayer, 5)
          const again = attempt(2, { nonce: 5 })
          const replaced = yield* attempted(store, first, again)
          expect(yield* next(store)).toBe(6)
          const bump = attempt(3, { nonce: 5 })
          const bumped = yield* attempted(store, replaced, bump)
          expect(yield* next(store)).toBe(6)
          expect(yield* store.attempts(first.id, "collect")).toStrictEqual([attempt(1), again, bump])
          // The abandoned nonce belongs to no swap.
          expect(yield* Effect.flip(attempted(store, bumped, attempt(4)))).toMatchObject({ _tag: "Conflict" })
          expect(yield* store.attempts(first.id, "collect")).toHaveLength(3)
        })
      )
    )

    it.effect("take another nonce if another relayer signs", () =>
      stored((store) =>
        Effect.gen(function* () {
          const other = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"
          yield* next(store)
          yield* store.nextNonce(31_337, other)
          const first = yield* attempted(store, yield* underWay(store), attempt(1))
          yield* attempted(store, first, attempt(2), { signer: other })
          expect(yield* next(store)).toBe(1)
          expect(yield* store.nextNonce(31_337, other)).toBe(1)
        })
      )
    )

    const kinds: ReadonlyArray<Kind> = ["collect", "deliver", "refund"]
    it.effect("take a nonce for each kind", () =>
      stored((store) =>
        Effect.gen(function* () {
          yield* next(store)
          let swap = yield* underWay(store)
          for (const [nonce, kind] of kinds.entries())
            swap = yield* attempted(store, swap, attempt(9, { nonce }), { kind })
          expect(yield* next(store)).toBe(3)
          for (const [nonce, kind] of kinds.entries()) {
            expect(yield* store.attempts(swap.id, kind)).toStrictEqual([attempt(9, { nonce })])
          }
        })
      )
    )

    it.effect("of many swaps compete for a nonce: one gets it, and the others change nothing", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          yield* next(store)
          const swaps = yield* working(store, ...[1, 2, 3, 4, 5].map((number) => order(number)))
          const all = yield* Effect.forEach(
            swaps,
            (swap, number) => Effect.result(attempted(store, swap, attempt(number))),
            { concurrency: "unbounded" }
          )
          expect(all.filter(Result.isSuccess)).toHaveLength(1)
          // Who lost only the nonce can take the next one.
          for (const lost of all.filter(Result.isFailure)) {
            expect(lost.failure).toMatchObject({ _tag: "Conflict", nonce: true })
          }
          expect(yield* next(store)).toBe(1)
          expect(yield* countOf(sql, "tx_attempts")).toBe(1)
          expect(yield* countOf(sql, "tx_intents")).toBe(1)
          const states = yield* Effect.forEach(swaps, ({ id }) => Effect.flatMap(store.swap(id), Effect.fromOption))
          expect(states.filter(({ state, version }) => state === "accepted" && version === 0)).toHaveLength(4)
        })
      )
    )

    it.effect("with a nonce that is not the next one change nothing", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          const swap = yield* underWay(store)
          // An unknown relayer has no next nonce.
          expect(yield* Effect.flip(attempted(store, swap, attempt(1)))).toMatchObject({ _tag: "Conflict" })
          yield* store.raiseNonce(31_337, relayer, 4)
          for (const nonce of [0, 3, 5]) {
            expect(yield* Effect.flip(attempted(store, swap, attempt(1, { nonce })))).toMatchObject({
              _tag: "Conflict"
            })
          }
          expect(yield* store.swap(swap.id)).toStrictEqual(Option.some(swap))
          expect(yield* store.events(swap.id)).toHaveLength(1)
          expect(yield* countOf(sql, "tx_intents")).toBe(0)
          expect(yield* next(store)).toBe(4)
        })
      )
    )

    it.effect("leave their nonce free if the change is rolled back", () =>
      stored((store) =>
        Effect.gen(function* () {
          yield* next(store)
          const swap = yield* underWay(store)
          const stale = { ...swap, version: 9 }
          const refused = yield* Effect.flip(attempted(store, stale, attempt(1)))
          expect(refused).toMatchObject({ _tag: "Conflict" })
          expect(refused).not.toHaveProperty("nonce")
          expect(yield* next(store)).toBe(0)
          // The nonce is taken, and then storing the attempt fails.
          const broken = yield* Effect.exit(attempted(store, swap, attempt(1, { createdAt: 0.5 })))
          expect(Exit.hasDies(broken)).toBe(true)
          expect(yield* next(store)).toBe(0)
          expect(yield* store.swap(swap.id)).toStrictEqual(Option.some(swap))
          expect((yield* attempted(store, swap, attempt(1, { hash: bytes(5) }))).version).toBe(1)
          expect(yield* next(store)).toBe(1)
        })
      )
    )
  })
