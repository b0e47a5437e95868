/** Writes the amounts in errors in tokens. The client and the service report them in the token's smallest unit. */
import { Amount, Policy, SwapError } from "@geoswap/core"
import type { ChainToken, PinnedToken } from "../chains/Directory.js"
import { formatDecimal } from "../output/numbers.js"

/** The two tokens of a swap. */
interface Tokens {
  readonly origin: ChainToken
  readonly destination: ChainToken
}

/** Formats an amount exactly, because an error is often about a small difference. */
const inTokens = (amount: bigint, { decimals, symbol }: PinnedToken): string =>
  `${formatDecimal(Amount.format(amount, decimals))} ${symbol}`

/** Writes the limit that a rule of the policy sets in tokens. The other rules state no amounts. */
const rewriteViolation = (error: SwapError.PolicyViolation, { destination, origin }: Tokens) => {
  const { limit, rule } = error
  if (limit === undefined) return error
  const { token } = rule === "budgets" ? origin : destination
  if (!token.pinned) return error
  const allowed = inTokens(limit.amount, token)
  const expected = limit.window === undefined ? `at least ${allowed}` : `${allowed} more (${limit.window})`
  return Policy.violation(rule, expected, inTokens(limit.found, token), undefined, limit)
}

/** The wallet's balance, if the service reports it. */
const balanceIn = (details: unknown): bigint | undefined =>
  typeof details === "object" && details !== null && "balance" in details
    ? Amount.fromInput(details.balance)
    : undefined

/** Returns the error with its amounts in tokens, if the tokens are pinned. `amount` is what the swap pays. */
export const withAmountsInTokens =
  (tokens: Tokens, amount: bigint | undefined) =>
  <E>(error: E): E | SwapError.SwapError => {
    if (!SwapError.isSwapError(error)) return error
    if (error._tag === "PolicyViolation") {
      const { message, ...rewritten } = rewriteViolation(error, tokens)
      return new SwapError.PolicyViolation({
        ...rewritten,
        message,
        ...(error.code !== undefined && { code: error.code })
      })
    }
    const { chain, token } = tokens.origin
    if (error._tag === "Rejected" && error.code === "INSUFFICIENT_BALANCE") {
      const balance = balanceIn(error.details)
      if (balance === undefined || amount === undefined || balance >= amount || !token.pinned) return error
      return new SwapError.Rejected({
        ...error,
        message: `The wallet has ${inTokens(balance, token)} on ${chain.name}, but the swap requires ${inTokens(amount, token)}.`
      })
    }
    const { token: output } = tokens.destination
    if (error._tag === "QuoteMoved" && output.pinned) {
      return new SwapError.QuoteMoved({
        ...error,
        message: `The new quote offers ${inTokens(error.offered, output)}; the accepted minimum was ${inTokens(error.accepted, output)}.`
      })
    }
    return error
  }
