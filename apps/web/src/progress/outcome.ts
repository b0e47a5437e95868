/** How a swap ended, in words. */
import type { Swap } from "@geoswap/core/promise"
import { placeWords, type Trip } from "../trip.js"
import { reasonOf } from "../words/ends.js"

/** The end of a swap. */
export interface Outcome {
  readonly title: string
  readonly text: string
  readonly good: boolean
}

/** What became of a swap, once that is certain. */
export const outcomeOf = (swap: Pick<Swap, "status" | "failureCode">, { from, to }: Trip): Outcome | undefined => {
  const reason = reasonOf(swap.failureCode) ?? ""
  switch (swap.status) {
    case "settled":
      return { title: `${placeWords(to)} delivered`, text: `They are on ${to.chain}.`, good: true }
    case "refunded":
      return { title: `Could not be delivered: your ${placeWords(from)} are back`, text: reason, good: false }
    case "failed":
      return { title: "The swap failed: nothing was paid", text: reason, good: false }
    case "pending":
      return undefined
  }
}
