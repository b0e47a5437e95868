/** Reports the events of a swap as progress that only grows. */
import { type SwapEvent, swapSteps } from "@geoswap/core/promise"
import type { ToolProgress } from "./Tool.js"

const total = swapSteps([]).length

const messages = {
  quoted: "The service quoted a price.",
  requoted: "The quote expired and was replaced.",
  authorizing: "Signing the wallet's delegation to the pinned contract.",
  built: "The service built the operation.",
  verified: "The operation matches the quote and the policy.",
  signed: "The swap is signed. From here on, cancelling does not undo it.",
  submitted: "The service accepted the swap.",
  resubmitted: "Sending the same signature again, because the service did not answer."
} as const

const formatEvent = (event: SwapEvent): string =>
  event.type === "status" || event.type === "done" ? `The swap is ${event.swap.status}.` : messages[event.type]

/** The number of steps that are over. Only the last event reaches the total. */
const countPassed = (events: ReadonlyArray<SwapEvent>): number => {
  if (events.at(-1)?.type === "done") return total
  const passed = swapSteps(events).filter(({ state }) => state === "done" || state === "skipped")
  return Math.min(passed.length, total - 1)
}

/** Returns a listener that adds each event to `events` and reports it. */
export const reportProgress = (
  events: Array<SwapEvent>,
  onProgress: ((progress: ToolProgress) => void) | undefined
): ((event: SwapEvent) => void) => {
  let progress = 0
  return (event) => {
    events.push(event)
    const passed = countPassed(events)
    // Without a further step, halfway to the next number.
    progress = passed > progress ? passed : progress + (Math.floor(progress) + 1 - progress) / 2
    onProgress?.({ progress, total, message: formatEvent(event) })
  }
}
