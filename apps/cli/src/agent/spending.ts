/**
 * What the policy's store has counted: the swaps of the last hour, and what was signed without an approval, so that
 * several small swaps need an approval like one large swap. An approved swap is not counted among the latter.
 */
import { Amount, Policy, Store, type Quote } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { formatDecimal } from "../output/numbers.js"
import type { AgentRules, TokenRef } from "./PolicyFile.js"
import { addressKey, pinnedAt, sameToken, tokensOf } from "./tokens.js"

/** Returns how many more swaps may be signed in this hour. The store counts them on all chains together. */
export const swapsLeft = (store: Store.Store, { maxSwapsPerHour, wallet }: AgentRules) =>
  Store.left(store, wallet.address, Policy.swapCount, { window: "hour", amount: BigInt(maxSwapsPerHour) })

/** Fails if a request exceeds what is left of a budget, or of the number of swaps. Reserves nothing. */
export const checkRemaining = Effect.fnUntraced(function* (
  rules: AgentRules,
  store: Store.Store,
  request: Quote.QuoteRequest,
  budgets: ReadonlyArray<Policy.Budget>
) {
  const { amount, walletAddress: wallet } = request
  const { input } = tokensOf(request)
  for (const { amount: most, window = "total", ...ref } of budgets) {
    if (!sameToken(ref, input)) continue
    const left = yield* Store.left(store, wallet, input, { window, amount: most })
    if (amount > left) {
      const limit = { amount: left, found: amount, window }
      const expected = `${left} more of ${input.token} (${window})`
      return yield* Policy.violation("budgets", expected, `${amount}`, undefined, limit)
    }
  }
  if ((yield* swapsLeft(store, rules)) === 0n) {
    return yield* Policy.violation("maxSwapsPerHour", "0 more of swaps (hour)", "1")
  }
})

/** The scope in which the store counts what was signed of a token without an approval. No address contains a space. */
export const unapproved = ({ chainId, token }: TokenRef) => ({
  chainId,
  token: `unapproved ${addressKey(token)}`
})

/** Returns the thresholds for the input of a request. */
export const thresholdsFor = (rules: AgentRules, request: Quote.QuoteRequest) =>
  rules.approveAbove.filter((one) => sameToken(one, tokensOf(request).input))

/** The thresholds that apply to a window, as limits of the store. */
const limitsFor = (rules: AgentRules, request: Quote.QuoteRequest): ReadonlyArray<Store.Limit> =>
  thresholdsFor(rules, request).flatMap(({ amount, window }) =>
    window === undefined ? [] : [{ window, amount: BigInt(amount) }]
  )

/** Returns why a person has to approve what exceeds a window's threshold. */
const reasonFor = (rules: AgentRules, request: Quote.QuoteRequest, { left, window }: Store.Exhausted) => {
  const { decimals, symbol } = pinnedAt(rules, tokensOf(request).input) ?? { decimals: 0, symbol: request.inputToken }
  return `The amount is above the ${formatDecimal(Amount.format(left, decimals))} ${symbol} that may still be signed without an approval (${window}).`
}

/**
 * Returns why a person has to approve a request, or `undefined`. Counts nothing. What the reservation `id` has counted
 * already is ignored.
 */
export const exceeded = Effect.fnUntraced(function* (
  store: Store.Store,
  rules: AgentRules,
  request: Quote.QuoteRequest,
  id?: string
) {
  for (const limit of limitsFor(rules, request)) {
    const left = yield* Store.left(store, request.walletAddress, unapproved(tokensOf(request).input), limit, id)
    if (request.amount > left) return reasonFor(rules, request, { window: limit.window, left })
  }
  return undefined
})

/**
 * Counts a request as signed without an approval, or returns why a person has to approve it. Atomic across all processes
 * that share the store.
 */
export const countUnapproved = (store: Store.Store, rules: AgentRules, request: Quote.QuoteRequest, id: string) =>
  Effect.map(
    Store.reserve(store, request.walletAddress, {
      ...unapproved(tokensOf(request).input),
      id,
      amount: request.amount,
      limits: limitsFor(rules, request)
    }),
    (exhausted) => exhausted && reasonFor(rules, request, exhausted)
  )
