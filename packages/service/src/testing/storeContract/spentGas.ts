/** Part of the store contract: the ledger of spent gas. */
import * as Effect from "effect/Effect"
import type { SpentGas } from "../../domain/SpentGas.js"
import { equals } from "../contractAssertions.js"
import { bytes } from "./fixture.js"
import { type Case, group, test } from "./storeCase.js"

const spent = (number: number, over: Partial<SpentGas> = {}): SpentGas => ({
  swapId: `swap-${number}`,
  kind: "collect",
  chainId: 31_337,
  hash: bytes(number),
  gasUsed: 62_875n,
  gasPrice: 1_500_000_000n,
  cost: 94_312_500_000_000n,
  settled: 1,
  share: 94_312_500_000_000n,
  at: 1_767_225_600_000 + number,
  ...over
})

export const spentGasCases: ReadonlyArray<Case> = group("the ledger of spent gas", [
  test("returns what was recorded for each of several swaps", (store) =>
    Effect.gen(function* () {
      // More than a 64-bit number can hold.
      const large = spent(2, { gasPrice: 2n ** 200n, cost: 62_875n * 2n ** 200n, share: 2n ** 200n })
      const all = [spent(1), large, spent(3)]
      equals(yield* store.spentGas.record(all), all)
      equals(yield* store.spentGas.of(["swap-1", "swap-2"]), [spent(1), large])
      equals(yield* store.spentGas.of(["swap-4"]), [])
      equals(yield* store.spentGas.of([]), [])
      equals(yield* store.spentGas.record([]), [])
    })),

  test("records a transaction once for each swap and kind, and reports only what is new", (store) =>
    Effect.gen(function* () {
      const first = spent(1)
      const delivery = spent(1, { kind: "deliver", chainId: 31_338, at: first.at + 1 })
      const again = spent(1, { hash: bytes(9), settled: 0, at: first.at + 2 })
      equals(yield* store.spentGas.record([first]), [first])
      equals(yield* store.spentGas.record([spent(1, { gasUsed: 1n, cost: 1n, share: 1n, at: 5 })]), [])
      equals(yield* store.spentGas.record([first, delivery, again]), [delivery, again])
      equals(yield* store.spentGas.of(["swap-1"]), [first, delivery, again])
    })),

  test("has a separate entry for each of the swaps that share a transaction", (store) =>
    Effect.gen(function* () {
      const shared = { hash: bytes(7), settled: 2, share: 47_156_250_000_000n, at: 1_767_225_600_000 }
      const all = [spent(1, shared), spent(2, shared), spent(3, { ...shared, share: 0n })]
      for (const entry of all) equals(yield* store.spentGas.record([entry]), [entry])
      equals(yield* store.spentGas.of(["swap-1", "swap-2", "swap-3"]), all)
    }))
])
