/** Part of the store contract: what is in flight of a wallet or an account is added up when a swap is accepted. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Claim, nameOf } from "../../domain/Claim.js"
import type { Accepted } from "../../domain/SwapRecord.js"
import type { Store } from "../../store/Store.js"
import { equals } from "../contractAssertions.js"
import { claimsOf, held, me, aMinute, order, plenty, through } from "./fixture.js"
import { type Case, group, test } from "./storeCase.js"

const noLimit = held(2n ** 256n - 1n)

/** Accepts a swap that is worth some cents. Returns the cents at risk. */
const acceptWorth = (store: Store, swap: Accepted, cents: bigint) => {
  const value = (kind: "wallet value" | "account value", owner: string): Claim => ({
    phase: "refund",
    kind,
    name: nameOf(swap.originChain, owner),
    amount: cents,
    limit: noLimit
  })
  const claims = [...claimsOf(swap, plenty), value("wallet value", swap.wallet), value("account value", swap.accountId)]
  return Effect.map(store.accept(swap, { claims }), (accepted) =>
    accepted._tag === "Inserted" ? accepted.swap.atRiskCents : accepted._tag
  )
}

const other = { wallet: `0x${"7".repeat(40)}` }

export const valueAtRiskCases: ReadonlyArray<Case> = group("the value at risk of a swap", [
  test("is what its wallet and its account have in flight, whichever is more", (store) =>
    Effect.gen(function* () {
      equals(yield* acceptWorth(store, order(1), 1_000n), 1_000)
      equals(yield* acceptWorth(store, order(2), 500n), 1_500)
      // The same wallet with another account, and another wallet of the same account.
      equals(yield* acceptWorth(store, order(3, { accountId: "account-2" }), 1n), 1_501)
      equals(yield* acceptWorth(store, order(4, other), 1n), 1_501)
      equals(yield* acceptWorth(store, order(5, { ...other, accountId: "account-3" }), 1n), 2)
      equals(Option.getOrUndefined(yield* store.swap("swap-2"))?.atRiskCents, 1_500)
    })),

  test("includes the swaps that are accepted together", (store) =>
    Effect.gen(function* () {
      const swaps = Array.from({ length: 10 }, (_, index) => order(index + 1))
      const risks = yield* Effect.forEach(swaps, (swap) => acceptWorth(store, swap, 100n), { concurrency: "unbounded" })
      equals(
        risks.toSorted((a, b) => Number(a) - Number(b)),
        swaps.map((_, index) => (index + 1) * 100)
      )
    })),

  test("no longer includes swaps that are over", (store) =>
    Effect.gen(function* () {
      equals(yield* acceptWorth(store, order(1), 1_000n), 1_000)
      const [swap] = yield* store.claim({ owner: me, leaseMillis: aMinute, limit: 1 })
      if (swap !== undefined) yield* through(store, swap, "failed")
      equals(yield* acceptWorth(store, order(2), 1n), 1)
    })),

  test("is unknown without a value", (store) =>
    Effect.gen(function* () {
      const accepted = yield* store.accept(order(1), { claims: claimsOf(order(1), plenty) })
      equals(accepted._tag === "Inserted" ? accepted.swap.atRiskCents : accepted._tag, undefined)
    }))
])
