/** The terms of a swap as JSON. */
import { Amount, Quote } from "@geoswap/core"
import type * as Directory from "../chains/Directory.js"
import { type IndicativeTerms, type PriceTerms, slippageOf, type Terms } from "./terms.js"

/** Formats an amount in tokens, or returns `undefined` if the token is not pinned. */
const humanOf = (raw: bigint, token: Directory.Token) => (token.pinned ? Amount.format(raw, token.decimals) : undefined)

const side = ({ chain, token }: Directory.ChainToken, raw: bigint) => ({
  chainId: chain.id,
  chain: chain.name,
  token: token.address,
  pinned: token.pinned,
  ...(token.pinned && { symbol: token.symbol, decimals: token.decimals }),
  amount: humanOf(raw, token),
  raw
})

/** The slippage as JSON. */
export const slippageToJson = (terms: Pick<PriceTerms, "quote" | "request" | "destination">) => {
  const { atRisk, bps, isHigh, minOutput: minimum } = slippageOf(terms)
  const { token } = terms.destination
  return {
    bps,
    high: isHigh,
    token: token.address,
    ...(token.pinned && { symbol: token.symbol }),
    atRisk: humanOf(atRisk, token),
    atRiskRaw: atRisk,
    minOutput: humanOf(minimum, token),
    minOutputRaw: minimum
  }
}

/** The terms of a swap or, without a wallet, of an indicative quote as JSON. */
export const termsToJson = (terms: Terms | IndicativeTerms) => {
  const { destination, origin, quote, request } = terms
  const own = "signs" in terms ? terms : undefined
  const minimum = Quote.minOutputOf(quote)
  return {
    indicative: own === undefined ? true : undefined,
    wallet: own?.request.walletAddress,
    recipient: request.recipient ?? own?.request.walletAddress,
    from: side(origin, request.amount),
    to: {
      ...side(destination, quote.output),
      minOutput: humanOf(minimum, destination.token),
      minOutputRaw: minimum
    },
    feeBps: quote.feeBps,
    feeDiscount: quote.feeDiscount && {
      tier: quote.feeDiscount.tier,
      discountPercent: quote.feeDiscount.discountPercent,
      baseFeeBps: quote.feeDiscount.baseFeeBps
    },
    networkCost:
      quote.networkCost === undefined
        ? undefined
        : { amount: humanOf(quote.networkCost, origin.token), raw: quote.networkCost },
    costs: quote.costs,
    highCost: Quote.isHighCost(quote),
    inputUsd: quote.inputUsd,
    outputUsd: quote.outputUsd,
    warnings: (quote.warnings ?? []).map(({ code, message }) => ({ code, message })),
    paymentMethods: quote.paymentMethods,
    paymentProblem: quote.paymentProblem && {
      code: quote.paymentProblem.code,
      message: quote.paymentProblem.message
    },
    slippageBps: request.slippageBps,
    slippage: slippageToJson(terms),
    paymentMethod: own?.signs === true ? own.payment?.method : undefined,
    expiresAt: own?.quote.expiresAt.toISOString()
  }
}
