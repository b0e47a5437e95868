/** A quote's dollar values and its price impact, for display only. */
import { Quote } from "@geoswap/core"
import type { Price } from "../venue/Venue.js"

/** Formats dollars with two decimal places and without an exponent. */
const cents = (usd: number): string => (usd < 1e15 ? usd.toFixed(2) : `${BigInt(Math.round(usd))}.00`)

/** The quote fields that are present only if the venue returns dollar values. */
export interface UsdValues {
  readonly inputUsd?: string
  readonly outputUsd?: string
  readonly priceImpactBps?: number
  readonly warnings: ReadonlyArray<Quote.Warning>
}

/**
 * Returns the dollar values for a swap of `amount`, of which the venue priced `net`. Every deduction is treated as a
 * loss. The venue values `net` at the mid price, so the value of `amount` is scaled up in proportion.
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
  // An input without value has no price impact. `|| 0` turns a negative zero into zero.
  const priceImpactBps = Number.isFinite(change) ? Math.round(change) || 0 : 0
  const high = priceImpactBps <= highPriceImpactBps
  return {
    ...values,
    priceImpactBps,
    warnings: high
      ? [{ code: Quote.highCostWarning, message: `This swap loses ${-priceImpactBps / 100}% of its value.` }]
      : []
  }
}
