/** Losses of value that need a consent of their own. */
import type { QuotePreview } from "@geoswap/core/promise"

/** The loss in basis points, where it is known. */
const lossOf = ({ priceImpactBps }: Pick<QuotePreview, "priceImpactBps">): number | undefined =>
  priceImpactBps === undefined ? undefined : Math.max(0, -priceImpactBps)

/** Whether a quote loses so much that it is not taken without a second thought. */
export const isHighLoss = (quote: Pick<QuotePreview, "priceImpactBps" | "warnings">, highImpactBps: number): boolean =>
  (lossOf(quote) ?? 0) >= highImpactBps || (quote.warnings ?? []).some(({ code }) => code === "HIGH_PRICE_IMPACT")

/** The loss to consent to: rounded up to half a percent, so that a price that breathes does not ask again. */
export const lossBound = (quote: Pick<QuotePreview, "priceImpactBps">): number => {
  const loss = lossOf(quote)
  return loss === undefined ? Infinity : Math.ceil(loss / 50) * 50
}

/** Whether a consent to a loss in basis points covers a quote. One to an unknown loss covers no known one. */
export const coversLoss = (lossBps: number | undefined, quote: Pick<QuotePreview, "priceImpactBps">): boolean => {
  const bound = lossBound(quote)
  return lossBps !== undefined && Number.isFinite(lossBps) === Number.isFinite(bound) && bound <= lossBps
}
