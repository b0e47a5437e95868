/** Part of the store contract: how pending swaps reduce balances and the inventory. */
import * as Effect from "effect/Effect"
import type { Accepted, State } from "../../domain/SwapRecord.js"
import { equals } from "../contractAssertions.js"
import { contentsOf, held, order, plenty, through, underWay, usdc, wallet, weth, accept } from "./fixture.js"
import { type Case, group, test } from "./storeCase.js"

const up = (address: string) => `0x${address.slice(2).toUpperCase()}`
const solana = { originChain: 900, wallet: "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin", inputToken: "So1ana" }

const other: ReadonlyArray<readonly [string, Partial<Accepted>, Partial<Accepted>, boolean]> = [
  ["the same wallet in different letter case", {}, { wallet: wallet.toLowerCase(), inputToken: up(usdc) }, true],
  ["the same wallet under another account", {}, { accountId: "account-2" }, true],
  ["the same wallet for another destination", {}, { destinationChain: 5, outputToken: usdc }, true],
  ["another wallet", {}, { wallet: weth }, false],
  ["another token", {}, { inputToken: weth }, false],
  ["another chain", {}, { originChain: 1 }, false],
  [
    "a Solana wallet that differs only in letter case",
    solana,
    { ...solana, wallet: solana.wallet.toLowerCase() },
    false
  ],
  ["the same Solana wallet", solana, solana, true]
]

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

export const balanceLimitsCases: ReadonlyArray<Case> = group("pending swaps", [
  test("reduce the wallet's balance, to the last unit", (store) =>
    Effect.gen(function* () {
      const limits = { ...plenty, balance: held(25n) }
      equals((yield* accept(store, order(1), limits))._tag, "Inserted")
      equals((yield* accept(store, order(2), limits))._tag, "Inserted")
      equals(yield* accept(store, order(3, { amount: 6n }), limits), {
        _tag: "input exceeded",
        used: 20n
      })
      equals(yield* contentsOf(store), { swaps: 2, events: 2, reserved: 8n })
      equals((yield* accept(store, order(3, { amount: 5n }), limits))._tag, "Inserted")
    })),

  ...other.map(([whose, first, second, together]) =>
    test(`are ${together ? "" : "not "}summed with those for ${whose}`, (store) =>
      Effect.gen(function* () {
        const limits = { ...plenty, balance: held(10n) }
        yield* accept(store, order(1, first), limits)
        const met = yield* accept(store, order(2, second), limits)
        equals(met._tag, together ? "input exceeded" : "Inserted")
      }))
  ),

  ...states.map(([state, balance, inventory]) =>
    test(`in the ${state} state ${balance ? "hold" : "free"} the balance and ${inventory ? "hold" : "free"} the inventory`, (store) =>
      Effect.gen(function* () {
        yield* through(store, yield* underWay(store), ...(state === "accepted" ? [] : [state]))
        equals(
          (yield* accept(store, order(2), { ...plenty, balance: held(10n) }))._tag,
          balance ? "input exceeded" : "Inserted"
        )
        const met = yield* accept(store, order(3, { amount: 0n, output: 1n }), {
          ...plenty,
          inventory: held(balance ? 4n : 8n)
        })
        equals(met._tag, inventory ? "output exceeded" : "Inserted")
      }))
  ),

  test("reduce the destination's inventory, to the last unit, regardless of the letter case of the token", (store) =>
    Effect.gen(function* () {
      const limits = { ...plenty, inventory: held(9n) }
      equals((yield* accept(store, order(1), limits))._tag, "Inserted")
      equals((yield* accept(store, order(2, { outputToken: up(weth), wallet: usdc }), limits))._tag, "Inserted")
      equals(yield* accept(store, order(3, { output: 2n, originChain: 7 }), limits), {
        _tag: "output exceeded",
        used: 8n
      })
      equals((yield* accept(store, order(3, { destinationChain: 5 }), limits))._tag, "Inserted")
      equals((yield* accept(store, order(4, { outputToken: usdc }), limits))._tag, "Inserted")
      equals((yield* accept(store, order(5, { output: 1n }), limits))._tag, "Inserted")
    })),

  test("never exceed the balance, no matter how many submits run concurrently", (store) =>
    Effect.gen(function* () {
      const all = yield* Effect.forEach(
        Array.from({ length: 50 }, (_, number) => order(number)),
        (swap) => accept(store, swap, { ...plenty, balance: held(75n) }),
        { concurrency: "unbounded" }
      )
      equals(all.filter(({ _tag }) => _tag === "Inserted").length, 7)
    })),

  test("never exceed the inventory, no matter how many wallets submit at once", (store) =>
    Effect.gen(function* () {
      const all = yield* Effect.forEach(
        Array.from({ length: 50 }, (_, number) => order(number, { wallet: `0x${number}`, originChain: number })),
        (swap) => accept(store, swap, { ...plenty, inventory: held(31n) }),
        { concurrency: "unbounded" }
      )
      equals(all.filter(({ _tag }) => _tag === "Inserted").length, 7)
    }))
])
