/** What a swap costs: the fee, the network cost and the price impact, and their total. For display only. */
import type { Quote } from "@geoswap/core"

/** A share of the input's value. */
export interface Cost {
  /** In basis points of the input's value. Negative if the user gains. */
  readonly bps: number
  /** In US dollars. Absent if the value of the input is unknown. */
  readonly usd?: number
}

/** The costs of a swap. */
export interface Costs {
  readonly fee: Cost
  /** Absent if the service does not state the network cost. */
  readonly network?: Cost
  /** What the price loses by the size of the swap. Absent if the service does not state the total. */
  readonly impact?: Cost
  /** Absent if the service does not state the total. */
  readonly total?: Cost
}

type Priced = Pick<Quote.Quote, "feeBps" | "inputUsd" | "networkCost" | "outputUsd" | "priceImpactBps">

/** Parses a value in US dollars, or returns `undefined` if the service sent something else. */
export const parseUsd = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}(\.\d{1,30})?$/.test(text) ? Number(text) : undefined

/** Rounds to a number of decimal places. Adding zero turns -0 into 0. */
const round = (value: number, places: number): number => Math.round(value * 10 ** places) / 10 ** places + 0

/** A share of the input in basis points, exact enough for display. */
const shareOf = (part: bigint, whole: bigint): number => (whole === 0n ? 0 : Number((part * 1_000_000n) / whole) / 100)

/**
 * Returns the total loss in basis points, and how far it may be off. The service rounds the total to whole basis points
 * and dollars to cents, so for a large swap, the difference in dollars is more precise. It is used only if the two agree.
 */
const totalOf = (priceImpactBps: number, { inputUsd, outputUsd }: Priced) => {
  const [paid, received] = [parseUsd(inputUsd), parseUsd(outputUsd)]
  const rounded = { bps: -priceImpactBps, error: 0.5 }
  if (paid === undefined || received === undefined || paid === 0) return rounded
  const inDollars = { bps: ((paid - received) / paid) * 10_000, error: (0.01 / paid) * 10_000 }
  const agree = Math.abs(inDollars.bps - rounded.bps) <= inDollars.error + rounded.error
  return agree && inDollars.error < rounded.error ? inDollars : rounded
}

/**
 * Splits the total loss of a quote into its parts. The protocol's `priceImpactBps` is the total: it includes the fee and
 * the network cost.
 */
export const costsOf = (quote: Priced, amount: bigint): Costs => {
  const { feeBps, networkCost, priceImpactBps } = quote
  const usd = parseUsd(quote.inputUsd)
  const cost = (bps: number): Cost => ({
    bps: round(bps, 4),
    ...(usd !== undefined && { usd: round((usd * bps) / 10_000, 6) })
  })
  const network = networkCost === undefined ? undefined : shareOf(networkCost, amount)
  const parts = { fee: cost(feeBps), ...(network !== undefined && { network: cost(network) }) }
  if (priceImpactBps === undefined) return parts
  const { bps, error } = totalOf(priceImpactBps, quote)
  const rest = bps - feeBps - (network ?? 0)
  return { ...parts, impact: cost(Math.abs(rest) <= error ? 0 : rest), total: cost(bps) }
}
