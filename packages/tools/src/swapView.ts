/** Converts amounts, quotes and swaps of the client to what tools return. */
import {
  formatAmount,
  type IndicativeQuote,
  isHighCost,
  minOutputOf,
  type Quote,
  type Swap,
  type SwapAmount,
  swapOutcome
} from "@geoswap/core/promise"
import { type ChainToken, formatToken, type Names, tokenAt } from "./names.js"
import { identifierOf } from "./untrusted.js"
import type * as View from "./views.js"

/** An amount of a token. Only a pinned token has an amount in whole tokens. */
export const sideView = (names: Names, { amount, chainId, token }: SwapAmount): View.Side => {
  const found = tokenAt(names, chainId, token)
  return {
    ...(found && { token: formatToken(found), amount: formatAmount(amount, found.token.decimals) }),
    chainId,
    address: token,
    units: `${amount}`
  }
}

/** A request and its tokens. */
interface Resolved {
  readonly from: ChainToken
  readonly to: ChainToken
  readonly request: { readonly amount: bigint; readonly recipient: string | undefined }
}

/** A quote, or an indicative quote. */
export const quoteView = (
  names: Names,
  { from, request: { amount, recipient }, to }: Resolved,
  quote: Quote | IndicativeQuote
): View.Quote => {
  const minimum = minOutputOf(quote)
  const { costs, feeBps, networkCost, output } = quote
  const side = ({ chain, token }: ChainToken, units: bigint) =>
    sideView(names, { chainId: chain.id, token: token.address, amount: units })
  return {
    indicative: !("geoQuoteToken" in quote),
    from: side(from, amount),
    to: side(to, output),
    minOutput: formatAmount(minimum, to.token.decimals),
    recipient,
    slippageBps: output > 0n ? Number(((output - minimum) * 10_000n) / output) : 0,
    feeBps,
    ...(networkCost !== undefined && { networkCost: formatAmount(networkCost, from.token.decimals) }),
    costs,
    highCost: isHighCost(quote),
    ...("expiresAt" in quote && quote.expiresAt instanceof Date && { expiresAt: quote.expiresAt.toISOString() })
  }
}

/** A swap. Hashes that are not identifiers are dropped. */
export const swapView = (
  names: Names,
  swap: Swap,
  known: Pick<View.Swap, "flowId" | "startedAt" | "wallet"> = {}
): View.Swap => {
  const time = (at: Date | undefined) => at?.toISOString()
  const side = (amount: SwapAmount | undefined) => amount && sideView(names, amount)
  const { evidence, received, returned, status } = swapOutcome(swap)
  return {
    swapId: swap.swapId,
    status,
    evidence,
    ...known,
    from: side(swap.input),
    to: side(swap.quotedOutput),
    delivered: side(received?.amount),
    refunded: side(returned?.amount),
    ...((received ?? returned)?.isBelowMinimum === true && { belowMinimum: true }),
    recipient: swap.recipient,
    feeBps: swap.feeBps,
    acceptedAt: time(swap.acceptedAt),
    collectedAt: time(swap.collectedAt),
    finishedAt: time(swap.finishedAt),
    originTxHash: identifierOf(swap.originTxHash),
    deliveryTxHash: identifierOf(swap.deliveryTxHash),
    refundTxHash: identifierOf(swap.refundTxHash),
    untrustedFailureCode: swap.failureCode
  }
}
