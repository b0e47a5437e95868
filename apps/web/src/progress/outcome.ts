/** Describes the outcome of a swap. */
import type { Swap } from "@geoswap/core/promise"
import { formatLeg, partialRefund, type SwapSummary } from "../swapSummary.js"
import { shortenAddress } from "../format/amounts.js"
import { failureReason } from "../format/failureReason.js"
import { text } from "../language/language.js"

/** The outcome of a swap. */
export interface Outcome {
  readonly title: string
  readonly text: string
  readonly good: boolean
}

/** Describes the outcome with the recipient's name, if it has one, or returns `undefined` while the swap is pending. */
export const outcomeOf = (
  swap: Pick<Swap, "status" | "failureCode" | "refundAmount">,
  summary: SwapSummary,
  recipientName?: string
): Outcome | undefined => {
  const { from, recipient, to } = summary
  const { progress: words } = text()
  const part = partialRefund(summary, swap)
  const reason = failureReason(swap.failureCode) ?? ""
  switch (swap.status) {
    case "settled":
      return {
        title: words.delivered(formatLeg(to)),
        text: words.deliveredTo(
          recipientName === undefined ? shortenAddress(recipient) : `${recipientName} (${shortenAddress(recipient)})`,
          to.chain
        ),
        good: true
      }
    case "refunded":
      return {
        title: words.refunded(formatLeg(part ?? from)),
        text: part === undefined ? reason : `${words.costDeducted} ${reason}`,
        good: false
      }
    case "failed":
      return { title: words.failed, text: reason, good: false }
    case "pending":
      return undefined
  }
}
