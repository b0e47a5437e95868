/** Part of the tests of the SQL store: the rows that calls write, and which they refuse or roll back. */
import { describe, expect, it } from "@effect/vitest"
import type { SwapRecord } from "@geoswap/service"
import { StoreFixture } from "@geoswap/service/testing"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { countOf, type Stored } from "./stored.js"

const { attempt, me, order, plenty, relayer, through, to, underWay, accept } = StoreFixture

const tables = ["swaps", "swap_events"]

export const rowsContract = (stored: Stored) =>
  describe("rows", () => {
    it.effect("of a swap are written once, and not for a refused one", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          yield* accept(store, order(1), plenty)
          expect(yield* accept(store, order(2, { operation: order(1).operation }), plenty)).toStrictEqual({
            _tag: "NonceUsed"
          })
          expect(yield* accept(store, order(1, { accountId: "account-2" }), plenty)).toStrictEqual({
            _tag: "QuoteUsed"
          })
          expect(yield* accept(store, order(3), { ...plenty, until: 0 })).toStrictEqual({ _tag: "Late" })
          for (const table of tables) expect([table, yield* countOf(sql, table)]).toEqual([table, 1])
          // Of the input, the output and the refund. What a vault holds is not claimed itself.
          expect(yield* countOf(sql, "claims")).toBe(3)
        })
      )
    )

    it.effect("that have not failed differ in the wallet's operation nonce", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          yield* accept(store, order(1), plenty)
          yield* accept(store, order(2), plenty)
          const again = sql`UPDATE swaps SET operation_nonce = '1' WHERE id = 'swap-2'`
          expect((yield* Effect.flip(again)).reason._tag).toBe("UniqueViolation")
          yield* sql`UPDATE swaps SET state = 'failed' WHERE id = 'swap-1'`
          yield* again
        })
      )
    )

    it.effect("of a transaction are written only with the next nonce", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          const swap = yield* underWay(store)
          yield* store.nextNonce(31_337, relayer)
          const prepare = (nonce: number) => {
            const intent = {
              kind: "collect",
              chainId: 31_337,
              signer: relayer,
              attempt: attempt(1, { nonce })
            } as const
            return store.change(to(swap, "origin_prepared", { intent }))
          }
          yield* Effect.flip(prepare(1))
          expect([yield* countOf(sql, "tx_intents"), yield* countOf(sql, "tx_attempts")]).toEqual([0, 0])
          yield* prepare(0)
          expect([yield* countOf(sql, "tx_intents"), yield* countOf(sql, "tx_attempts")]).toEqual([1, 1])
        })
      )
    )

    it.effect("leave the nonce free if storing the attempt fails", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          yield* store.nextNonce(31_337, relayer)
          const swap = yield* underWay(store)
          const intent = (createdAt: number) =>
            ({ kind: "collect", chainId: 31_337, signer: relayer, attempt: attempt(1, { createdAt }) }) as const
          const broken = yield* Effect.exit(store.change(to(swap, "origin_prepared", { intent: intent(0.5) })))
          expect(Exit.hasDies(broken)).toBe(true)
          expect(yield* countOf(sql, "tx_intents")).toBe(0)
          expect(yield* store.nextNonce(31_337, relayer)).toBe(0)
          expect(yield* store.swap(swap.id)).toStrictEqual(Option.some(swap))
          expect((yield* store.change(to(swap, "origin_prepared", { intent: intent(5) }))).version).toBe(1)
          expect(yield* store.nextNonce(31_337, relayer)).toBe(1)
        })
      )
    )

    const terminal: ReadonlyArray<SwapRecord.State> = ["settled", "failed", "refunded"]
    it.effect.each(terminal)("of a swap that is %s do not change, even if a lease is written to them", (state) =>
      stored((store, sql) =>
        Effect.gen(function* () {
          const over = yield* through(store, yield* underWay(store), state)
          yield* sql`UPDATE swaps SET lease_owner = ${me}`
          expect(yield* Effect.flip(store.change(to(over, "origin_sent")))).toMatchObject({ _tag: "Conflict" })
          expect(yield* store.swap(over.id)).toStrictEqual(Option.some(over))
        })
      )
    )

    it.effect("that conflict are reported without values", () =>
      stored((store) =>
        Effect.gen(function* () {
          const lost = { id: "k1", accountId: "unknown", hash: "secret-hash", label: "secret-label" }
          expect((yield* Effect.flip(store.addApiKey(lost))).message).toBe(
            "Could not add the API key: the database rejected a value that conflicts with existing rows."
          )
        })
      )
    )
  })
