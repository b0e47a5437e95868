/** Part of the store contract: the operation indices of wallets, each handed out once. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { NonceTaking, Store } from "../../../src/store/Store.js"
import { type Stored, wallet } from "./fixture.js"

const chainId = 31_337
const full = 2n ** 256n - 1n
/** All indices of a word are used except these. */
const allBut = (...free: ReadonlyArray<bigint>) => free.reduce((bits, bit) => bits ^ (1n << bit), full)

const take = (store: Store["Service"], word: bigint, used: bigint, owner = wallet) =>
  store.takeOperationNonce(chainId, owner, { word, used })

const next = (store: Store["Service"]) => store.nextOperationNonce(chainId, wallet)

/** Takes an index as a server of the previous version does: adds 1 to the counter. */
const takenByOldServer = (sql: SqlClient) =>
  Effect.map(
    sql<{ readonly next_index: unknown }>`INSERT INTO account_nonces (chain_id, wallet, next_index)
      VALUES (${chainId}, ${wallet.toLowerCase()}, 1)
      ON CONFLICT (chain_id, wallet) DO UPDATE SET next_index = account_nonces.next_index + 1
      RETURNING next_index`,
    ([row]) => BigInt(String(row?.next_index)) - 1n
  )

const indicesOf = (takings: ReadonlyArray<NonceTaking>) =>
  takings.map((taking) => (taking._tag === "Taken" ? taking.index : undefined))

const range = (length: number, first = 0n) => Array.from({ length }, (_, index) => first + BigInt(index))
const sorted = (indices: ReadonlyArray<bigint | undefined>) => indices.toSorted((a, b) => Number((a ?? 0n) - (b ?? 0n)))

export const operationIndicesContract = (stored: Stored) =>
  describe("operation indices", () => {
    it.effect("are dense for a wallet and a chain, in any case of the address", () =>
      stored((store) =>
        Effect.gen(function* () {
          const takings = yield* Effect.all(
            Array.from({ length: 50 }, (_, ask) => take(store, 0n, 0n, ask % 2 === 0 ? wallet : wallet.toLowerCase())),
            { concurrency: "unbounded" }
          )
          expect(sorted(indicesOf(takings))).toStrictEqual(range(50))
          expect(yield* next(store)).toBe(50n)
          expect(yield* store.nextOperationNonce(2, wallet)).toBe(0n)
          expect(yield* take(store, 0n, 0n, `${wallet}0`)).toStrictEqual({ _tag: "Taken", index: 0n })
          expect(yield* take(store, 0n, 0n)).toStrictEqual({ _tag: "Taken", index: 50n })
        })
      )
    )

    it.effect("skip those that the chain has used, and never hand them out later", () =>
      stored((store) =>
        Effect.gen(function* () {
          expect(yield* take(store, 0n, 0b1011n)).toStrictEqual({ _tag: "Taken", index: 2n })
          // A node that is behind shows fewer of them as used.
          expect(yield* take(store, 0n, 0n)).toStrictEqual({ _tag: "Taken", index: 3n })
          expect(yield* take(store, 0n, allBut(1n, 255n))).toStrictEqual({ _tag: "Taken", index: 255n })
          expect(yield* next(store)).toBe(256n)
        })
      )
    )

    it.effect("continue in the next word after one without a free index, and store that", () =>
      stored((store) =>
        Effect.gen(function* () {
          expect(yield* take(store, 0n, full)).toStrictEqual({ _tag: "Elsewhere", next: 256n })
          expect(yield* next(store)).toBe(256n)
          expect(yield* take(store, 1n, allBut(7n))).toStrictEqual({ _tag: "Taken", index: 263n })
          // No free index at or after the counter.
          expect(yield* take(store, 1n, allBut(7n))).toStrictEqual({ _tag: "Elsewhere", next: 512n })
        })
      )
    )

    it.effect("of another word than the counter's are not taken", () =>
      stored((store) =>
        Effect.gen(function* () {
          yield* take(store, 0n, full)
          for (const word of [0n, 2n]) {
            expect(yield* take(store, word, 0n)).toStrictEqual({ _tag: "Elsewhere", next: 256n })
          }
          expect(yield* next(store)).toBe(256n)
        })
      )
    )

    it.effect("are handed out once each if many builds share the end of a word", () =>
      stored((store) =>
        Effect.gen(function* () {
          const used = allBut(3n, 100n, 254n)
          const takings = yield* Effect.all(
            Array.from({ length: 20 }, () => take(store, 0n, used)),
            { concurrency: "unbounded" }
          )
          const taken = indicesOf(takings).filter((index) => index !== undefined)
          expect(sorted(taken)).toStrictEqual([3n, 100n, 254n])
          expect(takings.filter(({ _tag }) => _tag === "Elsewhere")).toStrictEqual(
            Array.from({ length: 17 }, () => ({ _tag: "Elsewhere", next: 256n }))
          )
        })
      )
    )

    it.effect("are handed out once each while a server of the previous version runs", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          const mixed = Array.from({ length: 40 }, (_, ask) =>
            ask % 2 === 0
              ? takenByOldServer(sql)
              : Effect.map(take(store, 0n, 0n), (taking) => (taking._tag === "Taken" ? taking.index : undefined))
          )
          const indices = yield* Effect.all(mixed, { concurrency: "unbounded" })
          expect(sorted(indices)).toStrictEqual(range(40))
          yield* take(store, 0n, allBut(60n))
          expect(yield* takenByOldServer(sql)).toBe(61n)
          expect(yield* take(store, 0n, 0n)).toStrictEqual({ _tag: "Taken", index: 62n })
        })
      )
    )
  })
