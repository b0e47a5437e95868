/**
 * What a wallet signed without an approval, so that several small swaps need an approval like one large swap. The store
 * counts it apart from the budgets. An approved swap is not counted.
 */
import { Amount, Store, type Quote, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { formatDecimal } from "../output/numbers.js"
import type { AgentRules, Threshold } from "./PolicyFile.js"
import { addressKey, sameToken } from "./tokens.js"

/** The scope in which the store counts a token. No address contains a space. */
export const scopeOf = (wallet: string, { chain, token }: Pick<Threshold, "chain" | "token">): Store.Scope => ({
  wallet,
  chain,
  token: `unapproved ${addressKey(token)}`
})

const scopeOfRequest = ({ inputToken: token, originChain: chain, walletAddress }: Quote.QuoteRequest): Store.Scope =>
  scopeOf(walletAddress, { chain, token })

/** Returns the thresholds for the input of a request. */
export const thresholdsFor = (rules: AgentRules, { inputToken, originChain }: Quote.QuoteRequest) =>
  rules.approveAbove.filter((one) => sameToken(rules, one, { chain: originChain, token: inputToken }))

/** The thresholds that apply to a window, as limits of the store. */
const limitsFor = (rules: AgentRules, request: Quote.QuoteRequest): ReadonlyArray<Store.Limit> =>
  thresholdsFor(rules, request).flatMap(({ amount, window }) =>
    window === undefined ? [] : [{ window, amount: BigInt(amount) }]
  )

/** Returns why a person has to approve what exceeds a window's threshold. */
const reasonFor = (rules: AgentRules, request: Quote.QuoteRequest, { left, window }: Store.Exhausted): string => {
  const { decimals, symbol } = rules.tokens.find((token) =>
    sameToken(
      rules,
      { chain: token.chain, token: token.address },
      { chain: request.originChain, token: request.inputToken }
    )
  ) ?? { decimals: 0, symbol: request.inputToken }
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
): Effect.fn.Return<string | undefined, SwapError.StoreError> {
  for (const limit of limitsFor(rules, request)) {
    const left = yield* Store.left(store, scopeOfRequest(request), limit, id)
    if (request.amount > left) return reasonFor(rules, request, { window: limit.window, left })
  }
  return undefined
})

/** Counts a request, or returns why a person has to approve it. Atomic across all processes that share the store. */
export const count = (
  store: Store.Store,
  rules: AgentRules,
  request: Quote.QuoteRequest,
  id: string
): Effect.Effect<string | undefined, SwapError.StoreError> =>
  Effect.map(
    Store.reserve(store, { ...scopeOfRequest(request), id, amount: request.amount, limits: limitsFor(rules, request) }),
    (exhausted) => exhausted && reasonFor(rules, request, exhausted)
  )

/** Counts a request that was signed earlier, whatever the thresholds are. */
export const recount = (store: Store.Store, request: Quote.QuoteRequest, id: string) =>
  Store.reserve(store, { ...scopeOfRequest(request), id, amount: request.amount, limits: [] })

/** No longer counts a request whose signature never left the process. */
export const release = (store: Store.Store, request: Quote.QuoteRequest, id: string) =>
  Store.release(store, { ...scopeOfRequest(request), id })

/** Counts a request permanently, if it is counted. */
export const keep = (store: Store.Store, request: Quote.QuoteRequest, id: string) =>
  Store.keep(store, { ...scopeOfRequest(request), id })
