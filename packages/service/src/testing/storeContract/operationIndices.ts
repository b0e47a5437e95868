/** Part of the store contract: wallets' operation indices, each assigned only once. */
import * as Effect from "effect/Effect"
import type { NonceTaking, Store } from "../../store/Store.js"
import { equals } from "../contractAssertions.js"
import { wallet } from "./fixture.js"
import { type Case, group, test } from "./storeCase.js"

const chainId = 31_337
const full = 2n ** 256n - 1n
/** A word in which all indices except the given ones have been used. */
const allBut = (...free: ReadonlyArray<bigint>) => free.reduce((bits, bit) => bits ^ (1n << bit), full)

const take = (store: Store, word: bigint, used: bigint, owner = wallet) =>
  store.takeOperationNonce(chainId, owner, { word, used })

const next = (store: Store) => store.nextOperationNonce(chainId, wallet)

const indicesOf = (takings: ReadonlyArray<NonceTaking>) =>
  takings.map((taking) => (taking._tag === "Taken" ? taking.index : undefined))

const range = (length: number, first = 0n) => Array.from({ length }, (_, index) => first + BigInt(index))
const sorted = (indices: ReadonlyArray<bigint | undefined>) => indices.toSorted((a, b) => Number((a ?? 0n) - (b ?? 0n)))

export const operationIndicesCases: ReadonlyArray<Case> = group("operation indices", [
  test("are consecutive for a wallet on a chain, regardless of the letter case of the address", (store) =>
    Effect.gen(function* () {
      const takings = yield* Effect.all(
        Array.from({ length: 50 }, (_, ask) => take(store, 0n, 0n, ask % 2 === 0 ? wallet : wallet.toLowerCase())),
        { concurrency: "unbounded" }
      )
      equals(sorted(indicesOf(takings)), range(50))
      equals(yield* next(store), 50n)
      equals(yield* store.nextOperationNonce(2, wallet), 0n)
      equals(yield* take(store, 0n, 0n, `${wallet}0`), { _tag: "Taken", index: 0n })
      equals(yield* take(store, 0n, 0n), { _tag: "Taken", index: 50n })
    })),

  test("skip those that have been used on the chain, and never return to skipped ones", (store) =>
    Effect.gen(function* () {
      equals(yield* take(store, 0n, 0b1011n), { _tag: "Taken", index: 2n })
      // A node that is behind shows fewer indices as used.
      equals(yield* take(store, 0n, 0n), { _tag: "Taken", index: 3n })
      equals(yield* take(store, 0n, allBut(1n, 255n)), { _tag: "Taken", index: 255n })
      equals(yield* next(store), 256n)
    })),

  test("continue in the next word if a word has no free index, and store that position", (store) =>
    Effect.gen(function* () {
      equals(yield* take(store, 0n, full), { _tag: "Elsewhere", next: 256n })
      equals(yield* next(store), 256n)
      equals(yield* take(store, 1n, allBut(7n)), { _tag: "Taken", index: 263n })
      // There is no free index at or after the counter.
      equals(yield* take(store, 1n, allBut(7n)), { _tag: "Elsewhere", next: 512n })
    })),

  test("in a word other than the counter's are not taken", (store) =>
    Effect.gen(function* () {
      yield* take(store, 0n, full)
      for (const word of [0n, 2n]) {
        equals(yield* take(store, word, 0n), { _tag: "Elsewhere", next: 256n })
      }
      equals(yield* next(store), 256n)
    })),

  test("are assigned only once each if many builds share the end of a word", (store) =>
    Effect.gen(function* () {
      const used = allBut(3n, 100n, 254n)
      const takings = yield* Effect.all(
        Array.from({ length: 20 }, () => take(store, 0n, used)),
        { concurrency: "unbounded" }
      )
      const taken = indicesOf(takings).filter((index) => index !== undefined)
      equals(sorted(taken), [3n, 100n, 254n])
      equals(
        takings.filter(({ _tag }) => _tag === "Elsewhere"),
        Array.from({ length: 17 }, () => ({ _tag: "Elsewhere", next: 256n }))
      )
    }))
])
