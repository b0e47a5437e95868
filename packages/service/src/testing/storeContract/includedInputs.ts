/**
 * Part of the store contract: an input that is in a block is not counted against balances that already exclude that
 * input.
 */
import * as Effect from "effect/Effect"
import type { State } from "../../domain/SwapRecord.js"
import type { Store } from "../../store/Store.js"
import { equals, holds } from "../contractAssertions.js"
import { held, order, plenty, through, to, underWay, accept } from "./fixture.js"
import { type Case, group, test } from "./storeCase.js"

/** A swap of 10 units whose collection transaction is in a block. */
const included = Effect.fnUntraced(function* (store: Store, block: bigint) {
  const sent = yield* through(store, yield* underWay(store), "origin_prepared", "origin_sent")
  return yield* store.change(to(sent, "origin_sent", { originTxHash: "0xa", originBlock: block }))
})

/**
 * Submits another swap of 10 units from a wallet with the given balance at the given block, and returns the result's
 * tag.
 */
const another = (store: Store, amount: bigint, block: bigint, number = 2) =>
  Effect.map(accept(store, order(number), { ...plenty, balance: held(amount, block) }), ({ _tag }) => _tag)

const blocks: ReadonlyArray<readonly [string, bigint, bigint, string]> = [
  ["at its block, which excludes it, is not", 10n, 100n, "Inserted"],
  ["at a newer block is not", 10n, 101n, "Inserted"],
  ["at an older block, which includes it, is", 19n, 99n, "input exceeded"]
]

const later: ReadonlyArray<State> = ["origin_final", "delivery_sent", "settled"]

export const includedInputsCases: ReadonlyArray<Case> = group("an input that is in a block but not final", [
  test("is stored with its block", (store) =>
    Effect.gen(function* () {
      const swap = yield* included(store, 9_007_199_254_740_991n)
      equals(swap.originBlock, 9_007_199_254_740_991n)
      const [listed] = yield* store.list({ limit: 1 })
      equals(listed, swap)
    })),

  ...blocks.map(([which, amount, block, met]) =>
    test(`against a balance ${which} counted`, (store) =>
      Effect.gen(function* () {
        yield* included(store, 100n)
        equals(yield* another(store, amount, block), met)
      }))
  ),

  test("leaves the rest of the balance available, and no more", (store) =>
    Effect.gen(function* () {
      yield* included(store, 100n)
      equals(yield* another(store, 9n, 100n), "input exceeded")
      equals(yield* another(store, 10n, 100n), "Inserted")
      equals(yield* another(store, 10n, 100n, 3), "input exceeded")
    })),

  test("is counted again once no block includes it", (store) =>
    Effect.gen(function* () {
      const swap = yield* included(store, 100n)
      const out = yield* store.change(to(swap, "origin_sent", { originBlock: null }))
      holds(!("originBlock" in out), "expected no originBlock.")
      equals(yield* another(store, 19n, 100n), "input exceeded")
      yield* store.change(to(out, "origin_sent", { originBlock: 101n }))
      equals(yield* another(store, 19n, 100n), "input exceeded")
      equals(yield* another(store, 10n, 101n), "Inserted")
    })),

  test("is counted again once its collection transaction is signed again", (store) =>
    Effect.gen(function* () {
      const again = yield* through(store, yield* included(store, 100n), "origin_prepared")
      holds(!("originBlock" in again), "expected no originBlock.")
      equals(yield* another(store, 19n, 100n), "input exceeded")
    })),

  ...later.map((state) =>
    test(`keeps its block in the ${state} state`, (store) =>
      Effect.gen(function* () {
        const swap = yield* through(store, yield* included(store, 100n), state)
        equals(swap.originBlock, 100n)
      }))
  )
])
