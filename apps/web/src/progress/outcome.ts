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
  swap: Pick<Swap, "status" | "failureCode" | "proof" | "refundAmount">,
  summary: SwapSummary,
  recipientName?: string
): Outcome | undefined => {
  const { from, recipient, to } = summary
  const { progress: words } = text()
  const part = partialRefund(summary, swap)
  const reason = failureReason(swap.failureCode) ?? ""
  // What only the service says is shown as such.
  const title = (fact: string) => (swap.proof === undefined ? words.claimed(fact) : fact)
  const unproved = swap.proof === undefined ? words.unproved : ""
  const sentences = (...parts: ReadonlyArray<string>) => parts.filter((part) => part !== "").join(" ")
  switch (swap.status) {
    case "settled":
      return {
        title: title(words.delivered(formatLeg(to))),
        text: words.deliveredTo(
          recipientName === undefined ? shortenAddress(recipient) : `${recipientName} (${shortenAddress(recipient)})`,
          to.chain
        ),
        good: true
      }
    case "refunded":
      return {
        title: title(words.refunded(formatLeg(part ?? from))),
        text: sentences(part === undefined ? "" : words.costDeducted, reason, unproved),
        good: false
      }
    case "failed":
      return { title: title(words.failed), text: sentences(reason, unproved), good: false }
    case "pending":
      return undefined
  }
}
