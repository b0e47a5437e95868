/** How a swap ended, in words. */
import type { Swap } from "@geoswap/core/promise"
import { formatLeg, type SwapSummary } from "../swapSummary.js"
import { failureReason } from "../format/failureReason.js"

/** The end of a swap. */
export interface Outcome {
  readonly title: string
  readonly text: string
  readonly good: boolean
}

/** What became of a swap, once that is certain. */
export const outcomeOf = (
  swap: Pick<Swap, "status" | "failureCode">,
  { from, to }: SwapSummary
): Outcome | undefined => {
  const reason = failureReason(swap.failureCode) ?? ""
  switch (swap.status) {
    case "settled":
      return { title: `${formatLeg(to)} delivered`, text: `They are on ${to.chain}.`, good: true }
    case "refunded":
      return { title: `Could not be delivered: your ${formatLeg(from)} are back`, text: reason, good: false }
    case "failed":
      return { title: "The swap failed: nothing was paid", text: reason, good: false }
    case "pending":
      return undefined
  }
}
