/** Writes the amounts in errors in tokens. The client and the service report them in the token's smallest unit. */
import { Amount, Chain, Policy, SwapError } from "@geoswap/core"
import type { Pair, PinnedToken } from "../chains/Directory.js"
import { formatDecimal } from "../output/numbers.js"

/** Formats an amount exactly, because an error is often about a small difference. */
const inTokens = (amount: bigint, { decimals, symbol }: PinnedToken) =>
  `${formatDecimal(Amount.format(amount, decimals))} ${symbol}`

/** Writes the limit that a rule of the policy sets in tokens. The other rules state no amounts. */
const rewriteViolation = (error: SwapError.PolicyViolation, { destination, origin }: Pair) => {
  const { limit, rule } = error
  if (limit === undefined) return error
  const { token } = rule === "budgets" ? origin : destination
  if (!token.pinned) return error
  const allowed = inTokens(limit.amount, token)
  const expected = limit.window === undefined ? `at least ${allowed}` : `${allowed} more (${limit.window})`
  return Policy.violation(rule, expected, inTokens(limit.found, token), undefined, limit)
}

/** Returns the error with its amounts in tokens, if the tokens are pinned. */
export const withAmountsInTokens =
  (tokens: Pair) =>
  <E>(error: E): E | SwapError.SwapError => {
    if (!SwapError.isSwapError(error)) return error
    const { chain, token: input } = tokens.origin
    const { token: output } = tokens.destination
    if (error._tag === "PolicyViolation") {
      const { message, ...rewritten } = rewriteViolation(error, tokens)
      return new SwapError.PolicyViolation({
        ...rewritten,
        message,
        ...(error.code !== undefined && { code: error.code })
      })
    }
    if (error._tag === "InsufficientBalance" && input.pinned) {
      const { has, needs, token = input.address } = error
      if (has === undefined || needs === undefined || !Chain.sameAddress(chain.family, token, input.address))
        return error
      return new SwapError.InsufficientBalance({
        ...error,
        message: `The wallet has ${inTokens(has, input)} on ${chain.name}, but the swap requires ${inTokens(needs, input)}.`
      })
    }
    if (error._tag === "AmountTooSmall" && error.minimum !== undefined && input.pinned) {
      const message = `The swap requires at least ${inTokens(error.minimum, input)}.`
      return new SwapError.AmountTooSmall({ ...error, message })
    }
    if (error._tag === "AmountTooLarge" && error.maximum !== undefined && input.pinned) {
      const message = `The service swaps at most ${inTokens(error.maximum, input)} at once.`
      return new SwapError.AmountTooLarge({ ...error, message })
    }
    if (error._tag === "QuoteMoved" && output.pinned) {
      return new SwapError.QuoteMoved({
        ...error,
        message: `The new quote offers ${inTokens(error.offered, output)}; the accepted minimum was ${inTokens(error.accepted, output)}.`
      })
    }
    return error
  }
