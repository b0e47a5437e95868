/** Losses of value that require separate consent. */
import type { QuotePreview } from "@geoswap/core/promise"

/** Returns the loss in basis points, if known. */
const lossOf = ({ priceImpactBps }: Pick<QuotePreview, "priceImpactBps">): number | undefined =>
  priceImpactBps === undefined ? undefined : Math.max(0, -priceImpactBps)

/** Whether a quote's loss requires separate consent. */
export const isHighLoss = (quote: Pick<QuotePreview, "priceImpactBps" | "warnings">, highImpactBps: number): boolean =>
  (lossOf(quote) ?? 0) >= highImpactBps || (quote.warnings ?? []).some(({ code }) => code === "HIGH_PRICE_IMPACT")

/** Returns the loss to accept, rounded up to the next 0.5% so that small price changes need no new consent. */
export const lossBound = (quote: Pick<QuotePreview, "priceImpactBps">): number => {
  const loss = lossOf(quote)
  return loss === undefined ? Infinity : Math.ceil(loss / 50) * 50
}

/** Whether an accepted loss in basis points covers a quote. Accepting an unknown loss does not cover a known loss. */
export const coversLoss = (lossBps: number | undefined, quote: Pick<QuotePreview, "priceImpactBps">): boolean => {
  const bound = lossBound(quote)
  return lossBps !== undefined && Number.isFinite(lossBps) === Number.isFinite(bound) && bound <= lossBps
}
