/** What a quote says in dollars. For people: nothing is decided by it. */
import { Quote } from "@geoswap/core"
import type { Price } from "../venue/Venue.js"

/** Two decimals, without the exponent that large numbers are printed with. */
const cents = (usd: number): string => (usd < 1e15 ? usd.toFixed(2) : `${BigInt(Math.round(usd))}.00`)

/** The part of a quote that is there only where the venue tells dollars. */
export interface UsdValues {
  readonly inputUsd?: string
  readonly outputUsd?: string
  readonly priceImpactBps?: number
  readonly warnings: ReadonlyArray<Quote.Warning>
}

/**
 * The dollars of a swap of `amount`, of which the venue priced `net`; all that is taken on the way counts as loss. The
 * venue told the dollars of `net` at the mid price, so that those of `amount` are in proportion.
 */
export const usdValues = (
  { usd }: Price,
  {
    amount,
    highPriceImpactBps,
    net
  }: { readonly amount: bigint; readonly net: bigint; readonly highPriceImpactBps: number }
): UsdValues => {
  const input = usd === undefined ? Number.NaN : usd.input * (Number(amount) / Number(net))
  if (usd === undefined || !Number.isFinite(input) || !Number.isFinite(usd.output)) return { warnings: [] }
  const values = { inputUsd: cents(input), outputUsd: cents(usd.output) }
  const change = ((usd.output - input) / input) * 10_000
  // An input that is worth nothing has nothing to lose. No negative zero either, which compares as something else.
  const priceImpactBps = Number.isFinite(change) ? Math.round(change) || 0 : 0
  const high = priceImpactBps <= highPriceImpactBps
  return {
    ...values,
    priceImpactBps,
    warnings: high
      ? [{ code: Quote.highPriceImpact, message: `This swap loses ${-priceImpactBps / 100} % of its value.` }]
      : []
  }
}
