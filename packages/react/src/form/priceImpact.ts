/** How much value a quote loses. */
import { Quote as Quotes } from "@geoswap/core"
import type { Quote } from "@geoswap/core/promise"
import type { FormPolicy } from "./choices.js"

/** How much value a swap loses. */
export type Impact = "none" | "low" | "high"

/**
 * Returns how much value a quote loses. The impact is `high` if the service warns about it or if the loss is at least
 * `highImpactBps`.
 */
export const impactOf = (
  { priceImpactBps = 0, warnings = [] }: Pick<Quote, "priceImpactBps" | "warnings">,
  { highImpactBps = 300 }: FormPolicy = {}
): Impact => {
  if (warnings.some(({ code }) => code === Quotes.highPriceImpact) || -priceImpactBps >= highImpactBps) return "high"
  return priceImpactBps < 0 ? "low" : "none"
}
