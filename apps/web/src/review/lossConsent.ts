/** Determines which losses of value require separate consent, and whether the user has consented to a loss. */
import type { QuotePreview } from "@geoswap/core/promise"

/** Returns a quote's loss in basis points, if known. */
const lossOf = ({ priceImpactBps }: Pick<QuotePreview, "priceImpactBps">): number | undefined =>
  priceImpactBps === undefined ? undefined : Math.max(0, -priceImpactBps)

/** Whether a quote's loss requires separate consent. */
export const isHighLoss = (quote: Pick<QuotePreview, "priceImpactBps" | "warnings">, highImpactBps: number): boolean =>
  (lossOf(quote) ?? 0) >= highImpactBps || (quote.warnings ?? []).some(({ code }) => code === "HIGH_PRICE_IMPACT")

/**
 * Returns the loss in basis points that the user is asked to accept. The loss is rounded up to the next 0.5%, so that
 * small price changes require no new consent.
 */
export const lossBound = (quote: Pick<QuotePreview, "priceImpactBps">): number => {
  const loss = lossOf(quote)
  return loss === undefined ? Infinity : Math.ceil(loss / 50) * 50
}

/**
 * Whether a quote's loss is at most the loss that the user accepted. Both are in basis points. Consent to an unknown
 * loss does not cover a known loss.
 */
export const coversLoss = (lossBps: number | undefined, quote: Pick<QuotePreview, "priceImpactBps">): boolean => {
  const bound = lossBound(quote)
  return lossBps !== undefined && Number.isFinite(lossBps) === Number.isFinite(bound) && bound <= lossBps
}
