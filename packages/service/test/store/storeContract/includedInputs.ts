/** Part of the store contract: inputs that are in a block are not counted against balances that already exclude them. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Store } from "../../../src/store/Store.js"
import type { State } from "../../../src/store/SwapRecord.js"
import { held, order, plenty, type Stored, through, to, underWay } from "./fixture.js"

/** A swap of 10 whose collect is in a block. */
const included = Effect.fnUntraced(function* (store: Store["Service"], block: bigint) {
  const sent = yield* through(store, yield* underWay(store), "origin_prepared", "origin_sent")
  return yield* store.change(to(sent, "origin_sent", { originTxHash: "0xa", originBlock: block }))
})

/** Whether a wallet with this balance at this block can submit another swap of 10. */
const another = (store: Store["Service"], amount: bigint, block: bigint, number = 2) =>
  Effect.map(store.accept(order(number), { ...plenty, balance: held(amount, block) }), ({ _tag }) => _tag)

export const includedInputsContract = (stored: Stored) =>
  describe("an input that is in a block but not final", () => {
    it.effect("is stored with its block", () =>
      stored((store) =>
        Effect.gen(function* () {
          const swap = yield* included(store, 9_007_199_254_740_991n)
          expect(swap.originBlock).toBe(9_007_199_254_740_991n)
          const [listed] = yield* store.list({ limit: 1 })
          expect(listed).toStrictEqual(swap)
        })
      )
    )

    const blocks: ReadonlyArray<readonly [string, bigint, bigint, string]> = [
      ["of its block, which lacks it, is not", 10n, 100n, "Inserted"],
      ["of a newer block is not", 10n, 101n, "Inserted"],
      ["of an older block, which includes it, is", 19n, 99n, "BalanceInFlight"]
    ]
    it.effect.each(blocks)("against a balance %s counted", ([, amount, block, met]) =>
      stored((store) =>
        Effect.gen(function* () {
          yield* included(store, 100n)
          expect(yield* another(store, amount, block)).toBe(met)
        })
      )
    )

    it.effect("leaves the rest of the balance available, and no more", () =>
      stored((store) =>
        Effect.gen(function* () {
          yield* included(store, 100n)
          expect(yield* another(store, 9n, 100n)).toBe("BalanceInFlight")
          expect(yield* another(store, 10n, 100n)).toBe("Inserted")
          expect(yield* another(store, 10n, 100n, 3)).toBe("BalanceInFlight")
        })
      )
    )

    it.effect("is counted again once no block includes it", () =>
      stored((store) =>
        Effect.gen(function* () {
          const swap = yield* included(store, 100n)
          const out = yield* store.change(to(swap, "origin_sent", { originBlock: null }))
          expect(out).not.toHaveProperty("originBlock")
          expect(yield* another(store, 19n, 100n)).toBe("BalanceInFlight")
          yield* store.change(to(out, "origin_sent", { originBlock: 101n }))
          expect(yield* another(store, 19n, 100n)).toBe("BalanceInFlight")
          expect(yield* another(store, 10n, 101n)).toBe("Inserted")
        })
      )
    )

    it.effect("is counted again once its collect is signed again", () =>
      stored((store) =>
        Effect.gen(function* () {
          const again = yield* through(store, yield* included(store, 100n), "origin_prepared")
          expect(again).not.toHaveProperty("originBlock")
          expect(yield* another(store, 19n, 100n)).toBe("BalanceInFlight")
        })
      )
    )

    it.effect("is counted if a server of the previous version stored no block", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          const swap = yield* through(store, yield* underWay(store), "origin_prepared", "origin_sent")
          yield* sql`UPDATE swaps SET origin_tx_hash = '0xa', version = version + 1 WHERE id = ${swap.id}`
          expect(yield* another(store, 19n, 100n)).toBe("BalanceInFlight")
        })
      )
    )

    const later: ReadonlyArray<State> = ["origin_final", "delivery_sent", "settled"]
    it.effect.each(later)("keeps its block in %s", (state) =>
      stored((store) =>
        Effect.gen(function* () {
          const swap = yield* through(store, yield* included(store, 100n), state)
          expect(swap.originBlock).toBe(100n)
        })
      )
    )
  })
