/** The limits of a policy, applied to what the store has reserved. */
import * as Effect from "effect/Effect"
import { Policy, violation } from "../Policy.js"
import type { QuoteRequest } from "../Quote.js"
import * as Spending from "../store/spending.js"
import { Store } from "../Store.js"
import { PolicyViolation, type StoreError, isSwapError } from "../SwapError.js"

/** What a rule of a policy reserves for each swap, and its limits. */
export interface LimitedAmount extends Omit<Spending.Reservation, "id"> {
  readonly rule: "budgets" | "maxSwapsPerHour"
  /** The code of the error if the limit is exceeded. */
  readonly code?: string
}

/** Reserves the amounts under an id, or returns the error for the first rule that they would break. */
export const reserveAll = (
  spent: ReadonlyArray<Spending.Spent>,
  amounts: ReadonlyArray<LimitedAmount>,
  id: string,
  now: number
): ReadonlyArray<Spending.Spent> | PolicyViolation => {
  let reserved = spent
  for (const { code, rule, ...one } of amounts) {
    // A token without a limit cannot be spent.
    const result =
      one.limits.length === 0 ? { window: "total" as const, left: 0n } : Spending.reserve(reserved, { ...one, id }, now)
    if ("left" in result) {
      const { left, window } = result
      const limit = rule === "budgets" ? { amount: left, found: one.amount, window } : undefined
      const broken = violation(rule, `${left} more of ${one.token} (${window})`, `${one.amount}`, undefined, limit)
      return code === undefined ? broken : new PolicyViolation({ ...broken, message: broken.message, code })
    }
    reserved = result
  }
  return reserved
}

/** Fails if a request exceeds what is left of the policy's budgets. Reserves nothing. */
export const checkBudgets = Effect.fnUntraced(function* (
  request: QuoteRequest
): Effect.fn.Return<void, PolicyViolation | StoreError, Policy | Store> {
  const amounts = (yield* Policy).reservations(request)
  if (amounts.length === 0) return
  const { update } = yield* Store
  const result = yield* update(request.walletAddress, (wallet, now) => [
    wallet,
    reserveAll(wallet.spent, amounts, "view", now)
  ])
  if (isSwapError(result)) return yield* result
})
