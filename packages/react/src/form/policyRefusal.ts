/** Checks a quote against the form's policy. */
import type { Quote } from "@geoswap/core/promise"
import type { FormPolicy } from "./choices.js"

const formatPercent = (bps: number): string => `${Math.round(bps * 100) / 10_000}%`

/** Returns why a policy refuses a quote, or `undefined` if the policy allows the quote. */
export const refusalOf = (
  { feeBps, priceImpactBps }: Pick<Quote, "feeBps" | "priceImpactBps">,
  { maxFeeBps, maxPriceImpactBps }: FormPolicy = {}
): string | undefined => {
  if (maxPriceImpactBps !== undefined) {
    const limit = formatPercent(maxPriceImpactBps)
    if (priceImpactBps === undefined) return `The quote does not state its price impact. The maximum is ${limit}.`
    if (!(-priceImpactBps <= maxPriceImpactBps)) {
      return `The price impact is ${formatPercent(-priceImpactBps)}. The maximum is ${limit}.`
    }
  }
  return maxFeeBps !== undefined && !(feeBps <= maxFeeBps)
    ? `The fee is ${formatPercent(feeBps)}. The maximum is ${formatPercent(maxFeeBps)}.`
    : undefined
}
