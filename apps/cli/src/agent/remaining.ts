/** What is left of a policy's budgets. Nothing here reserves anything. */
import { Chain, Ledger, Policy, type Quote, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { AgentRules } from "./PolicyFile.js"
import { familyOf } from "./tokens.js"

/** The scope in which the ledger counts a wallet's swaps, on all chains together. */
const swapsOf = (wallet: string): Ledger.Scope => ({ wallet, chain: 0, token: "swaps" })

/**
 * Returns what is left of a limit, besides the reservation `id`. Reserves nothing, because the amount exceeds the limit.
 */
export const leftOf = (
  ledger: Ledger.Ledger,
  scope: Ledger.Scope,
  limit: Ledger.Limit,
  id = "view"
): Effect.Effect<bigint, SwapError.LedgerError> =>
  Effect.map(
    ledger.reserve({ ...scope, id, amount: limit.amount + 1n, limits: [limit] }),
    (exhausted) => exhausted?.left ?? 0n
  )

/** Returns how many more swaps may be signed in this hour. */
export const swapsLeft = (
  ledger: Ledger.Ledger,
  { maxSwapsPerHour, wallet }: AgentRules
): Effect.Effect<bigint, SwapError.LedgerError> =>
  leftOf(ledger, swapsOf(wallet.address), { window: "hour", amount: BigInt(maxSwapsPerHour) })

/** Fails if a request exceeds what is left of a budget, or of the number of swaps. `more` are further budgets. */
export const checkRemaining = Effect.fnUntraced(function* (
  rules: AgentRules,
  store: Ledger.Store,
  request: Quote.QuoteRequest,
  more: ReadonlyArray<Policy.Budget> = []
): Effect.fn.Return<void, SwapError.LedgerError | SwapError.PolicyViolation> {
  const ledger = Ledger.make(store)
  const { amount, inputToken: token, originChain: chain, walletAddress: wallet } = request
  const own = rules.budgets.map((budget) => ({ ...budget, amount: BigInt(budget.amount) }))
  for (const { amount: most, window = "total", ...ref } of [...own, ...more]) {
    if (ref.chain !== chain || !Chain.sameAddress(familyOf(rules)(chain), ref.token, token)) continue
    const left = yield* leftOf(ledger, { wallet, chain, token }, { window, amount: most })
    if (amount > left) {
      const limit = { amount: left, found: amount, window }
      return yield* Policy.violation("budgets", `${left} more of ${token} (${window})`, `${amount}`, undefined, limit)
    }
  }
  if ((yield* swapsLeft(ledger, rules)) === 0n) {
    return yield* Policy.violation("maxSwapsPerHour", "0 more of swaps (hour)", "1")
  }
})
