/** Determines whether the user has consented to a loss of value. */
import type { QuotePreview } from "@geoswap/core/promise"

/**
 * Returns the loss in basis points that the user is asked to accept. The loss is rounded up to the next 0.5%, so that
 * small price changes require no new consent.
 */
export const lossBound = ({ costs: { total } }: Pick<QuotePreview, "costs">) =>
  total === undefined ? Infinity : Math.ceil(Math.max(0, total.bps) / 50) * 50

/**
 * Whether a quote's loss is at most the loss that the user accepted. Both are in basis points. Consent to an unknown
 * loss does not cover a known loss.
 */
export const coversLoss = (lossBps: number | undefined, quote: Pick<QuotePreview, "costs">) => {
  const bound = lossBound(quote)
  return lossBps !== undefined && Number.isFinite(lossBps) === Number.isFinite(bound) && bound <= lossBps
}
