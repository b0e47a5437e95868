/** Part of the store contract: wallets' operation indices, handed out in turn within a word of the bitmap. */
import * as Effect from "effect/Effect"
import type { NonceSpace, NonceTaking } from "../../store/acceptance/NonceWord.js"
import type { Store } from "../../store/Store.js"
import { equals, holds, matches } from "../contractAssertions.js"
import { accept as acceptOrder, order, plenty, through, underWay, wallet } from "./fixture.js"
import { type Case, group, test } from "./storeCase.js"

const chainId = 31_337
const full = 2n ** 256n - 1n
/** A word in which all indices except the given ones have been used. */
export const allBut = (...free: ReadonlyArray<bigint>): bigint =>
  free.reduce((bits, index) => bits & ~(1n << (index & 0xffn)), full)

const take = (store: Store, word: bigint, used: bigint, owner = wallet, space?: NonceSpace) =>
  store.takeOperationNonce(chainId, owner, { word, used }, space)

/** Takes several indices, one after the other. */
const takeMany = (store: Store, count: number, used = 0n, space?: NonceSpace) =>
  Effect.forEach(Array.from({ length: count }), () => take(store, 0n, used, wallet, space))

/** Takes several indices at the same time. */
const takeAtOnce = (store: Store, count: number, used = 0n) =>
  Effect.forEach(Array.from({ length: count }), () => take(store, 0n, used), { concurrency: "unbounded" })

const taken = (index: bigint): NonceTaking => ({ _tag: "Taken", index })
const elsewhere = (word: bigint): NonceTaking => ({ _tag: "Elsewhere", word })

const indicesOf = (takings: ReadonlyArray<NonceTaking>) =>
  takings.map((taking) => (taking._tag === "Taken" ? taking.index : undefined))

const range = (length: number, first = 0n) => Array.from({ length }, (_, index) => first + BigInt(index))
const sorted = (indices: ReadonlyArray<bigint | undefined>) => indices.toSorted((a, b) => Number((a ?? 0n) - (b ?? 0n)))

/** An order whose operation has this index. */
export const withIndex = (number: number, index: bigint, space: NonceSpace = "account") => {
  const { operation } = order(number)
  if (operation._tag !== "evm") throw new TypeError("The operation is for an EVM origin.")
  return order(number, {
    operation:
      space === "account"
        ? { ...operation, nonce: `${index}` }
        : { ...operation, nonce: `${space}:${index}`, method: "permit2" }
  })
}

const accept = (store: Store, number: number, index: bigint, space?: NonceSpace) =>
  Effect.map(acceptOrder(store, withIndex(number, index, space), plenty), (met) => matches(met, { _tag: "Inserted" }))

export const operationIndicesCases: ReadonlyArray<Case> = group("operation indices", [
  test("are consecutive for a wallet on a chain, regardless of the letter case of the address", (store) =>
    Effect.gen(function* () {
      const takings = yield* Effect.all(
        Array.from({ length: 50 }, (_, ask) => take(store, 0n, 0n, ask % 2 === 0 ? wallet : wallet.toLowerCase())),
        { concurrency: "unbounded" }
      )
      equals(sorted(indicesOf(takings)), range(50))
      equals(yield* store.operationWord(chainId, wallet), 0n)
      equals(yield* store.takeOperationNonce(2, wallet, { word: 0n, used: 0n }), taken(0n))
      equals(yield* take(store, 0n, 0n, `${wallet}0`), taken(0n))
      equals(yield* take(store, 0n, 0n), taken(50n))
    })),

  test("skip those that have been used on the chain", (store) =>
    Effect.gen(function* () {
      equals(yield* take(store, 0n, 0b1011n), taken(2n))
      // A node that is behind shows fewer indices as used.
      equals(yield* take(store, 0n, 0n), taken(3n))
      equals(yield* take(store, 0n, allBut(1n, 255n)), taken(255n))
      equals(yield* take(store, 0n, allBut(1n, 255n)), taken(1n))
      equals(yield* take(store, 0n, allBut(0n, 1n)), taken(0n))
    })),

  ...(["account", "permit2"] as const).flatMap((space) => [
    test(`are handed out again in turn, no matter how many have been taken, in the space ${space}`, (store) =>
      Effect.gen(function* () {
        const takings = yield* takeMany(store, 300, 0b10n, space)
        const turn = [0n, ...range(254, 2n)]
        equals(indicesOf(takings), [...turn, ...turn].slice(0, 300))
        equals(yield* store.operationWord(chainId, wallet, space), 0n)
        // The other space has its own turn.
        equals(yield* take(store, 0n, 0n, wallet, space === "account" ? "permit2" : "account"), taken(0n))
      })),

    test(`skip those of swaps that have not failed, in the space ${space}`, (store) =>
      Effect.gen(function* () {
        const used = allBut(1n, 3n, 5n, 7n)
        equals(indicesOf(yield* takeMany(store, 4, used, space)), [1n, 3n, 5n, 7n])
        const { operation } = withIndex(1, 3n, space)
        const first = yield* underWay(store, 1, { operation })
        yield* accept(store, 2, 5n, space)
        equals(indicesOf(yield* takeMany(store, 4, used, space)), [1n, 7n, 1n, 7n])
        yield* through(store, first, "origin_prepared", "failed")
        equals(indicesOf(yield* takeMany(store, 4, used, space)), [1n, 3n, 7n, 1n])
      })),

    test(`continue in the next word once each index is used on the chain or by a swap, in the space ${space}`, (store) =>
      Effect.gen(function* () {
        const word = (used: bigint) => take(store, 0n, used, wallet, space)
        const used = allBut(0n, 100n, 255n)
        equals(indicesOf(yield* takeMany(store, 3, used, space)), [0n, 100n, 255n])
        const failing = yield* underWay(store, 1, { operation: withIndex(1, 100n, space).operation })
        yield* accept(store, 2, 0n, space)
        equals(yield* word(used), taken(255n))
        // Index 255 is now used on the chain.
        const rest = allBut(0n, 100n)
        yield* through(store, failing, "origin_prepared", "failed")
        equals(yield* word(rest), taken(100n))
        yield* accept(store, 3, 100n, space)
        equals(yield* word(rest), elsewhere(1n))
        equals(yield* store.operationWord(chainId, wallet, space), 1n)
        equals(yield* take(store, 1n, allBut(263n), wallet, space), taken(263n))
        equals(yield* take(store, 1n, full, wallet, space), elsewhere(2n))
        equals(yield* take(store, 2n, 0n, wallet, space), taken(512n))
        equals(yield* take(store, 2n, 0n, wallet, space), taken(513n))
      }))
  ]),

  test("in a word other than the current one are not taken", (store) =>
    Effect.gen(function* () {
      equals(yield* take(store, 1n, 0n), elsewhere(0n))
      equals(yield* take(store, 0n, full), elsewhere(1n))
      for (const word of [0n, 2n]) {
        equals(yield* take(store, word, 0n), elsewhere(1n))
        equals(yield* take(store, word, full), elsewhere(1n))
      }
      equals(yield* store.operationWord(chainId, wallet), 1n)
    })),

  test("are different for concurrent builds, also if the turn starts again", (store) =>
    Effect.gen(function* () {
      yield* takeMany(store, 250)
      equals(sorted(indicesOf(yield* takeAtOnce(store, 256))), range(256))
      equals(sorted(indicesOf(yield* takeAtOnce(store, 255, 1n))), range(255, 1n))
    })),

  test("are shared evenly if concurrent builds outnumber the free ones", (store) =>
    Effect.gen(function* () {
      yield* takeMany(store, 4, allBut(3n, 100n, 200n, 254n))
      yield* accept(store, 1, 200n)
      const used = allBut(3n, 100n, 200n, 254n)
      const counts = new Map<bigint | undefined, number>()
      for (const index of indicesOf(yield* takeAtOnce(store, 20, used))) counts.set(index, (counts.get(index) ?? 0) + 1)
      equals(sorted([...counts.keys()]), [3n, 100n, 254n])
      equals(
        [...counts.values()].toSorted((a, b) => a - b),
        [6, 7, 7]
      )
      equals(yield* store.operationWord(chainId, wallet), 0n)
    })),

  test("of swaps that are accepted at the same time are not handed out after that", (store) =>
    Effect.gen(function* () {
      const used = allBut(...range(20))
      yield* takeMany(store, 20, used)
      const [takings] = yield* Effect.all(
        [
          takeAtOnce(store, 30, used),
          Effect.forEach(range(15), (index) => accept(store, Number(index), index), { concurrency: "unbounded" })
        ],
        { concurrency: "unbounded" }
      )
      holds(!takings.some(({ _tag }) => _tag === "Elsewhere"), "expected no taking to leave a word with free indices.")
      equals(new Set(indicesOf(yield* takeMany(store, 20, used))), new Set(range(5, 15n)))
    }))
])
