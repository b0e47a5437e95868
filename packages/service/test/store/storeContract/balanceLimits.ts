/** Part of the store contract: how pending swaps reduce balances and the inventory. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Accepted, State } from "../../../src/store/SwapRecord.js"
import { countOf, held, order, plenty, type Stored, through, underWay, usdc, wallet, weth } from "./fixture.js"

const up = (address: string) => `0x${address.slice(2).toUpperCase()}`
const solana = { originChain: 900, wallet: "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin", inputToken: "So1ana" }

export const balanceLimitsContract = (stored: Stored) =>
  describe("pending swaps", () => {
    it.effect("reduce the wallet's balance, to the last unit", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          const limits = { ...plenty, balance: held(25n) }
          expect((yield* store.accept(order(1), limits))._tag).toBe("Inserted")
          expect((yield* store.accept(order(2), limits))._tag).toBe("Inserted")
          expect(yield* store.accept(order(3, { amount: 6n }), limits)).toStrictEqual({
            _tag: "BalanceInFlight",
            inFlight: 20n
          })
          expect(yield* countOf(sql, "swaps")).toBe(2)
          expect(yield* countOf(sql, "reservations")).toBe(2)
          expect((yield* store.accept(order(3, { amount: 5n }), limits))._tag).toBe("Inserted")
        })
      )
    )

    const other: ReadonlyArray<readonly [string, Partial<Accepted>, Partial<Accepted>, boolean]> = [
      ["the same wallet in another case", {}, { wallet: wallet.toLowerCase(), inputToken: up(usdc) }, true],
      ["the same wallet of another account", {}, { accountId: "account-2" }, true],
      ["the same wallet for another destination", {}, { destinationChain: 5, outputToken: usdc }, true],
      ["another wallet", {}, { wallet: weth }, false],
      ["another token", {}, { inputToken: weth }, false],
      ["another chain", {}, { originChain: 1 }, false],
      ["a Solana wallet that differs in case alone", solana, { ...solana, wallet: solana.wallet.toLowerCase() }, false],
      ["the same Solana wallet", solana, solana, true]
    ]
    it.effect.each(other)("are summed with those of %s, or not", ([, first, second, together]) =>
      stored((store) =>
        Effect.gen(function* () {
          const limits = { ...plenty, balance: held(10n) }
          yield* store.accept(order(1, first), limits)
          const met = yield* store.accept(order(2, second), limits)
          expect(met._tag).toBe(together ? "BalanceInFlight" : "Inserted")
        })
      )
    )

    const states: ReadonlyArray<readonly [State, boolean, boolean]> = [
      ["accepted", true, true],
      ["origin_prepared", true, true],
      ["origin_sent", true, true],
      ["origin_final", false, true],
      ["delivery_prepared", false, true],
      ["delivery_sent", false, true],
      ["settled", false, false],
      ["failed", false, false],
      ["refund_prepared", false, false],
      ["refund_sent", false, false],
      ["refunded", false, false]
    ]
    it.effect.each(states)(
      "in state %s hold the balance or not, and the inventory or not",
      ([state, balance, inventory]) =>
        stored((store) =>
          Effect.gen(function* () {
            yield* through(store, yield* underWay(store), ...(state === "accepted" ? [] : [state]))
            expect((yield* store.accept(order(2), { ...plenty, balance: held(10n) }))._tag).toBe(
              balance ? "BalanceInFlight" : "Inserted"
            )
            const met = yield* store.accept(order(3, { amount: 0n, output: 1n }), {
              ...plenty,
              inventory: held(balance ? 4n : 8n)
            })
            expect(met._tag).toBe(inventory ? "InventoryReserved" : "Inserted")
          })
        )
    )

    it.effect("reduce the inventory of the destination, to the last unit, in any case of the token", () =>
      stored((store) =>
        Effect.gen(function* () {
          const limits = { ...plenty, inventory: held(9n) }
          expect((yield* store.accept(order(1), limits))._tag).toBe("Inserted")
          expect((yield* store.accept(order(2, { outputToken: up(weth), wallet: usdc }), limits))._tag).toBe("Inserted")
          expect(yield* store.accept(order(3, { output: 2n, originChain: 7 }), limits)).toStrictEqual({
            _tag: "InventoryReserved",
            reserved: 8n
          })
          expect((yield* store.accept(order(3, { destinationChain: 5 }), limits))._tag).toBe("Inserted")
          expect((yield* store.accept(order(4, { outputToken: usdc }), limits))._tag).toBe("Inserted")
          expect((yield* store.accept(order(5, { output: 1n }), limits))._tag).toBe("Inserted")
        })
      )
    )

    it.effect("never exceed the balance, no matter how many submits are concurrent", () =>
      stored((store) =>
        Effect.gen(function* () {
          const all = yield* Effect.forEach(
            Array.from({ length: 50 }, (_, number) => order(number)),
            (swap) => store.accept(swap, { ...plenty, balance: held(75n) }),
            { concurrency: "unbounded" }
          )
          expect(all.filter(({ _tag }) => _tag === "Inserted")).toHaveLength(7)
        })
      )
    )

    it.effect("never exceed the inventory, no matter how many wallets submit at once", () =>
      stored((store) =>
        Effect.gen(function* () {
          const all = yield* Effect.forEach(
            Array.from({ length: 50 }, (_, number) => order(number, { wallet: `0x${number}`, originChain: number })),
            (swap) => store.accept(swap, { ...plenty, inventory: held(31n) }),
            { concurrency: "unbounded" }
          )
          expect(all.filter(({ _tag }) => _tag === "Inserted")).toHaveLength(7)
        })
      )
    )
  })
