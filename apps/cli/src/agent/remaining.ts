/** What is left of a policy's budgets. Nothing here reserves anything. */
import { Chain, Store, Policy, type Quote, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { AgentRules } from "./PolicyFile.js"
import { familyOf } from "./tokens.js"

/** The scope in which the store counts a wallet's swaps, on all chains together. */
const swapsOf = (wallet: string): Store.Scope => ({ wallet, chain: 0, token: "swaps" })

/** Returns how many more swaps may be signed in this hour. */
export const swapsLeft = (
  store: Store.Store,
  { maxSwapsPerHour, wallet }: AgentRules
): Effect.Effect<bigint, SwapError.StoreError> =>
  Store.left(store, swapsOf(wallet.address), { window: "hour", amount: BigInt(maxSwapsPerHour) })

/** Fails if a request exceeds what is left of a budget, or of the number of swaps. `more` are further budgets. */
export const checkRemaining = Effect.fnUntraced(function* (
  rules: AgentRules,
  store: Store.Store,
  request: Quote.QuoteRequest,
  more: ReadonlyArray<Policy.Budget> = []
): Effect.fn.Return<void, SwapError.StoreError | SwapError.PolicyViolation> {
  const { amount, inputToken: token, originChain: chain, walletAddress: wallet } = request
  const own = rules.budgets.map((budget) => ({ ...budget, amount: BigInt(budget.amount) }))
  for (const { amount: most, window = "total", ...ref } of [...own, ...more]) {
    if (ref.chain !== chain || !Chain.sameAddress(familyOf(rules)(chain), ref.token, token)) continue
    const left = yield* Store.left(store, { wallet, chain, token }, { window, amount: most })
    if (amount > left) {
      const limit = { amount: left, found: amount, window }
      return yield* Policy.violation("budgets", `${left} more of ${token} (${window})`, `${amount}`, undefined, limit)
    }
  }
  if ((yield* swapsLeft(store, rules)) === 0n) {
    return yield* Policy.violation("maxSwapsPerHour", "0 more of swaps (hour)", "1")
  }
})
