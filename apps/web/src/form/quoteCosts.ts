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
  /** The fee without the discount, if there is one. */
  readonly baseFee: Cost | undefined
  /** `undefined` if the service does not state it. */
  readonly network: Cost | undefined
  /** What the price loses by the size of the swap. `undefined` if the service does not state the total. */
  readonly impact: Cost | undefined
  readonly total: Cost | undefined
}

type Priced = Pick<Quote, "feeBps" | "feeDiscount" | "inputUsd" | "outputUsd" | "networkCost" | "priceImpactBps">

const usdOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined

/** A share of the input in basis points. */
const shareOf = (part: bigint, whole: bigint): number => (whole === 0n ? 0 : (Number(part) / Number(whole)) * 10_000)

/** The error of a difference between two values that are rounded to cents, in dollars. */
const centError = 0.01
/** The error of the service's total, which is rounded to whole basis points. */
const bpsError = 0.5

/** The total cost, and the error of its share in basis points. */
interface Total extends Cost {
  readonly error: number
}

/**
 * Returns the total cost. In dollars, it is the difference between the two values that the page shows. Its share comes
 * from these values if they are more exact than whole basis points. If they contradict the service's share, which the
 * consent depends on, only that share is used.
 */
const totalOf = (lossBps: number, paid: number | undefined, received: number | undefined): Total => {
  const stated = { bps: lossBps, usd: paid === undefined ? undefined : (paid * lossBps) / 10_000, error: bpsError }
  if (paid === undefined || received === undefined || paid === 0 || stated.usd === undefined) return stated
  const difference = Math.round((paid - received) * 100) / 100
  const tolerance = centError + (paid * bpsError) / 10_000 + 1e-9
  if (difference === 0 || Math.abs(difference - stated.usd) > tolerance) return stated
  const error = (centError / paid) * 10_000
  return error < bpsError
    ? { bps: (difference / paid) * 10_000, usd: difference, error }
    : { ...stated, usd: difference }
}

/**
 * Splits the total loss of a quote into its parts. The protocol's `priceImpactBps` is the total: it includes the fee and
 * the network cost.
 */
export const costsOf = (quote: Priced, amount: bigint): QuoteCosts => {
  const { feeBps, feeDiscount, inputUsd, networkCost, outputUsd, priceImpactBps } = quote
  const paid = usdOf(inputUsd)
  const cost = (bps: number): Cost => ({ bps, usd: paid === undefined ? undefined : (paid * bps) / 10_000 })
  const network = networkCost === undefined ? undefined : shareOf(networkCost, amount)
  const parts = {
    fee: cost(feeBps),
    baseFee: feeDiscount && cost(feeDiscount.baseFeeBps),
    network: network === undefined ? undefined : cost(network)
  }
  if (priceImpactBps === undefined) return { ...parts, impact: undefined, total: undefined }
  const { bps, error, usd } = totalOf(-priceImpactBps, paid, usdOf(outputUsd))
  const rest = bps - feeBps - (network ?? 0)
  // A rest within the error of the total is not a price impact.
  return { ...parts, impact: cost(Math.abs(rest) <= error ? 0 : rest), total: { bps, usd } }
}
