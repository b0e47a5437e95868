/** Checks a quote against the form's policy. */
import type { Quote } from "@geoswap/core/promise"
import type { FormPolicy } from "./choices.js"

const formatPercent = (bps: number): string => `${Math.round(bps * 100) / 10_000}%`

/** Returns why a policy refuses a quote, or `undefined` if the policy allows the quote. */
export const refusalOf = (
  { costs: { total }, feeBps }: Pick<Quote, "costs" | "feeBps">,
  { maxFeeBps, maxTotalCostBps }: FormPolicy = {}
): string | undefined => {
  if (maxTotalCostBps !== undefined) {
    const limit = formatPercent(maxTotalCostBps)
    if (total === undefined) return `The total cost of the quote is unknown. The maximum is ${limit}.`
    if (!(total.bps <= maxTotalCostBps)) {
      return `The total cost is ${formatPercent(total.bps)}. The maximum is ${limit}.`
    }
  }
  return maxFeeBps !== undefined && !(feeBps <= maxFeeBps)
    ? `The fee is ${formatPercent(feeBps)}. The maximum is ${formatPercent(maxFeeBps)}.`
    : undefined
}
