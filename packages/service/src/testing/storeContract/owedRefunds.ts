/** Part of the store contract: a vault keeps what it may have to refund, and refunds stay within their cap. */
import * as Effect from "effect/Effect"
import type { State } from "../../domain/SwapRecord.js"
import type { Store } from "../../store/Store.js"
import { equals, matches } from "../contractAssertions.js"
import { accept, claimsOf, held, order, plenty, through, to, underWay, usdc, wallet, weth } from "./fixture.js"
import { type Case, group, test } from "./storeCase.js"

/** A swap whose output is the token that other swaps pay with, from the vault that they pay: 4 units of USDC. */
const paidInUsdc = (number: number) =>
  order(number, {
    originChain: 31_338,
    inputToken: weth,
    destinationChain: 31_337,
    outputToken: usdc,
    wallet: `0x${number}`
  })

/** Submits such a swap with what the vault holds of USDC at a block. */
const another = (store: Store, amount: bigint, block: bigint, number = 2) =>
  accept(store, paidInUsdc(number), { ...plenty, inventory: held(amount, block) })

/** A swap of 10 units of USDC whose collection is in a block. */
const included = Effect.fnUntraced(function* (store: Store, block: bigint) {
  const sent = yield* through(store, yield* underWay(store), "origin_prepared", "origin_sent")
  return yield* store.change(to(sent, "origin_sent", { originTxHash: "0xa", originBlock: block }))
})

const owing: ReadonlyArray<readonly [State, boolean]> = [
  ["origin_final", true],
  ["delivery_prepared", true],
  ["delivery_sent", true],
  ["refund_prepared", true],
  ["refund_sent", true],
  ["settled", false],
  ["refunded", false]
]

export const owedRefundsCases: ReadonlyArray<Case> = group("refunds that a vault owes", [
  test("reduce what it can deliver, from the block in which the input arrived", (store) =>
    Effect.gen(function* () {
      yield* included(store, 100n)
      equals(yield* store.owed, [{ chainId: 31_337, vault: "vault", token: usdc.toLowerCase(), amount: 10n }])
      // At an older block, the vault does not hold the input yet.
      equals(yield* another(store, 3n, 99n), { _tag: "output exceeded", used: 0n })
      equals(yield* another(store, 13n, 100n), { _tag: "vault exceeded", used: 10n })
      matches(yield* another(store, 4n, 99n), { _tag: "Inserted" })
      equals(yield* another(store, 17n, 101n, 3), { _tag: "vault exceeded", used: 14n })
      matches(yield* another(store, 18n, 101n, 3), { _tag: "Inserted" })
    })),

  test("are counted while it is unknown whether the input has arrived", (store) =>
    Effect.gen(function* () {
      const swap = yield* underWay(store)
      equals(yield* another(store, 13n, 100n), { _tag: "vault exceeded", used: 10n })
      const sent = yield* through(store, swap, "origin_prepared", "origin_sent")
      const seen = yield* store.change(to(sent, "origin_sent", { originBlock: 100n }))
      matches(yield* another(store, 4n, 99n), { _tag: "Inserted" })
      yield* store.change(to(seen, "origin_sent", { originBlock: null }))
      equals(yield* another(store, 17n, 99n, 3), { _tag: "vault exceeded", used: 14n })
    })),

  test("do not reduce what it can deliver of another token, or what another chain's vault can", (store) =>
    Effect.gen(function* () {
      yield* included(store, 100n)
      const scarce = { ...plenty, inventory: held(4n, 100n) }
      matches(yield* accept(store, { ...paidInUsdc(2), outputToken: wallet }, scarce), { _tag: "Inserted" })
      matches(yield* accept(store, { ...paidInUsdc(3), destinationChain: 5 }, scarce), { _tag: "Inserted" })
    })),

  ...owing.map(([state, owes]) =>
    test(`${owes ? "remain" : "are over"} in the ${state} state`, (store) =>
      Effect.gen(function* () {
        yield* through(store, yield* included(store, 100n), state)
        equals((yield* store.owed).length, owes ? 1 : 0)
        matches(yield* another(store, 13n, 100n), owes ? { _tag: "vault exceeded", used: 10n } : { _tag: "Inserted" })
      }))
  ),

  test("make a balance outdated that was read before a refund", (store) =>
    Effect.gen(function* () {
      const final = yield* through(store, yield* included(store, 100n), "origin_final")
      yield* store.change(to(final, "refunded", { block: 200n }))
      equals((yield* another(store, 10n ** 9n, 199n))._tag, "Outdated")
      equals((yield* another(store, 10n ** 9n, 200n))._tag, "Inserted")
    })),

  test("never exceed what can be refunded in an hour, no matter how many wallets submit at once", (store) =>
    Effect.gen(function* () {
      const all = yield* Effect.forEach(
        Array.from({ length: 30 }, (_, number) => order(number, { wallet: `0x${number}` })),
        (swap) => {
          const claims = claimsOf(swap, plenty).map((claim) =>
            claim.kind === "refund" ? { ...claim, limit: held(75n) } : claim
          )
          return store.accept(swap, { claims })
        },
        { concurrency: "unbounded" }
      )
      equals(all.filter(({ _tag }) => _tag === "Inserted").length, 7)
      equals(all.filter(({ _tag }) => _tag === "Exceeded").length, 23)
    }))
])
