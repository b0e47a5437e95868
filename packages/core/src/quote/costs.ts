/**
 * What a swap costs.
 *
 * The wire has one signed number, `priceImpactBps`: the change of value from the input to the output, all-in, where a
 * negative number is a loss. Here, costs are positive, and the total is split into its parts:
 *
 *     total = -priceImpactBps = fee + network + impact
 *
 * The shares and the dollars are computed separately, each from the most precise values of the service, so the parts of
 * both add up to their total. The total share is the service's own number, because limits and confirmations depend on
 * it. The service rounds it to whole basis points, and dollar values to cents. For a swap of more than $200, cents are
 * more precise, so the total in dollars is then the difference of the two dollar values, unless it contradicts the share.
 */
import type { IndicativeQuote, Quote, QuoteResponse } from "../Quote.js"

/** A cost. Negative if the user gains. */
export interface Cost {
  /** The share of the input's value, in basis points. */
  readonly bps: number
  /** In US dollars, not rounded. Omitted if the value of the input is unknown. */
  readonly usd?: number
}

/** What a swap costs, as the service claims. Everything is already deducted from the output. */
export interface Costs {
  /** The fee, after any discount. */
  readonly fee: Cost
  /** The gas, which is the quote's `networkCost`. Omitted if the service does not state it: `impact` then includes it. */
  readonly network?: Cost
  /** What the market's price loses because of the size of the swap. Omitted if the total is unknown. */
  readonly impact?: Cost
  /** Omitted if the service cannot value both tokens. */
  readonly total?: Cost
}

/** The protocol's warning code for a high total cost. */
export const highCostWarning = "HIGH_PRICE_IMPACT"

/** How far the service's total may be off because it is rounded, in basis points. */
const bpsError = 0.5

/** How far the difference of two rounded dollar values may be off. */
const usdError = 0.01

const parseUsd = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}(\.\d{1,30})?$/.test(text) ? Number(text) : undefined

/** Removes floating-point noise. */
const round = (value: number): number => Math.round(value * 1e6) / 1e6

/** Returns the total cost in dollars and how far it may be off. */
const totalUsd = (bps: number, paid: number, received: number | undefined) => {
  const stated = { usd: (paid * bps) / 10_000, error: (paid * bpsError) / 10_000 }
  if (received === undefined || stated.error <= usdError) return stated
  const difference = paid - received
  return Math.abs(difference - stated.usd) <= usdError + stated.error ? { usd: difference, error: usdError } : stated
}

/** Computes the costs of a quote for an amount. */
export const costsOf = (
  quote: Pick<QuoteResponse, "feeBps" | "inputUsd" | "networkCost" | "outputUsd" | "priceImpactBps">,
  amount: bigint
): Costs => {
  const { feeBps, networkCost, priceImpactBps } = quote
  const paid = parseUsd(quote.inputUsd)
  const cost = (bps: number, usd = paid === undefined ? undefined : (paid * bps) / 10_000): Cost => ({
    // Adding 0 turns -0 into 0.
    bps: bps + 0,
    ...(usd !== undefined && { usd: round(usd) + 0 })
  })
  const networkBps =
    networkCost === undefined || amount === 0n ? 0 : round((Number(networkCost) / Number(amount)) * 10_000)
  const costs = {
    fee: cost(feeBps),
    ...(networkCost !== undefined && { network: cost(networkBps) })
  }
  if (priceImpactBps === undefined) return costs
  const bps = -priceImpactBps
  const total = paid === undefined ? undefined : totalUsd(bps, paid, parseUsd(quote.outputUsd))
  const known = feeBps + networkBps
  // What is within the error of the total is not a cost of the market.
  const rest = (whole: number, part: number, error: number) =>
    Math.abs(whole - part) <= error ? 0 : round(whole - part)
  const impactUsd = total && paid !== undefined ? rest(total.usd, (paid * known) / 10_000, total.error) : undefined
  return { ...costs, impact: cost(rest(bps, known, bpsError), impactUsd), total: cost(bps, total?.usd) }
}

/**
 * Whether the total cost requires a separate confirmation: it is at least `highCostBps`, it is unknown, or the service
 * warns about it.
 */
export const isHighCost = (
  { costs: { total }, warnings = [] }: Pick<IndicativeQuote | Quote, "costs" | "warnings">,
  highCostBps = 300
): boolean => !((total?.bps ?? Infinity) < highCostBps) || warnings.some(({ code }) => code === highCostWarning)
