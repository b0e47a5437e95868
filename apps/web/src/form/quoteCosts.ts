/** What a swap costs: the fee, the network cost and the price impact, and their total. For display only. */
import type { Quote } from "@geoswap/core/promise"

/** A share of the input's value. */
export interface Cost {
  /** In basis points of the input's value. Negative if the user gains. */
  readonly bps: number
  /** In US dollars, if the value of the input is known. */
  readonly usd: number | undefined
}

/** The costs of a swap. */
export interface QuoteCosts {
  readonly fee: Cost
  /** `undefined` if the service does not state it. */
  readonly network: Cost | undefined
  /** What the price loses by the size of the swap. `undefined` if the service does not state the total. */
  readonly impact: Cost | undefined
  readonly total: Cost | undefined
}

type Priced = Pick<Quote, "feeBps" | "inputUsd" | "networkCost" | "priceImpactBps">

const usdOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined

/** A share of the input in basis points, exact enough for display. */
const shareOf = (part: bigint, whole: bigint): number => (whole === 0n ? 0 : Number((part * 1_000_000n) / whole) / 100)

/**
 * Splits the total loss of a quote into its parts. The protocol's `priceImpactBps` is the total: it includes the fee and
 * the network cost.
 */
export const costsOf = ({ feeBps, inputUsd, networkCost, priceImpactBps }: Priced, amount: bigint): QuoteCosts => {
  const usd = usdOf(inputUsd)
  const cost = (bps: number): Cost => ({ bps, usd: usd === undefined ? undefined : (usd * bps) / 10_000 })
  const network = networkCost === undefined ? undefined : shareOf(networkCost, amount)
  if (priceImpactBps === undefined) {
    return {
      fee: cost(feeBps),
      network: network === undefined ? undefined : cost(network),
      impact: undefined,
      total: undefined
    }
  }
  // The service rounds the total to whole basis points, so the rest may be off by half of one.
  const rest = -priceImpactBps - feeBps - (network ?? 0)
  return {
    fee: cost(feeBps),
    network: network === undefined ? undefined : cost(network),
    impact: cost(Math.abs(rest) <= 0.5 ? 0 : rest),
    total: cost(-priceImpactBps)
  }
}
