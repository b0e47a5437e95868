/** Describes the outcome of a swap. */
import { type Swap, swapOutcome } from "@geoswap/core/promise"
import { differentDelivery, formatLeg, partialRefund, type SwapSummary } from "../swapSummary.js"
import { shortenAddress } from "../format/amounts.js"
import { failureReason } from "../format/failureReason.js"
import { text } from "../language/language.js"

/** Marks the description of a swap's end as a claim, unless the end is proved. */
const asClaim = (swap: Swap, fact: string) =>
  swapOutcome(swap).evidence === "proved" ? fact : text.progress.claimed(fact)

/** Names the status of a swap, for a title. */
export const endOf = (swap: Swap | undefined) => {
  const { ends } = text.unfinished
  return swap === undefined || swap.status === "pending" ? ends.pending : asClaim(swap, ends[swap.status])
}

/** Describes the outcome with the recipient's name, if it has one, or returns `undefined` while the swap is pending. */
export const outcomeOf = (swap: Swap, summary: SwapSummary, recipientName?: string) => {
  const { from, recipient, to } = summary
  const { progress: words } = text
  const { next, received, returned, status } = swapOutcome(swap)
  if (status === "pending") return undefined
  const part = partialRefund(summary, swap)
  const isBelowMinimum = (received ?? returned)?.isBelowMinimum === true
  const short = shortenAddress(recipient)
  const receiver = recipientName === undefined ? short : `${recipientName} (${short})`
  const titles = {
    settled: words.delivered(formatLeg(differentDelivery(summary, swap) ?? to)),
    refunded: words.refunded(formatLeg(part ?? from)),
    failed: words.nothingPaid
  }
  const sentences = [
    status === "settled" && words.deliveredTo(receiver, to.chain),
    isBelowMinimum ? words.belowMinimum : part !== undefined && words.costDeducted,
    status !== "settled" && failureReason(swap.failureCode),
    next === "resume" && words.unproved
  ]
  return {
    title: asClaim(swap, titles[status]),
    text: sentences.filter((sentence) => typeof sentence === "string").join(" "),
    good: status === "settled" && !isBelowMinimum
  }
}
