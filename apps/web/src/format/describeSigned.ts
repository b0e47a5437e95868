/** Describes what was signed for a swap that did not happen. */
import { isSwapError } from "@geoswap/core/promise"
import type { SwapState } from "@geoswap/react"

/**
 * Describes what was signed, based on the swap's events and its error, if any. Returns the text in `nothing` if nothing
 * was signed.
 */
export const describeSigned = (
  events: SwapState["events"],
  error: unknown,
  nothing: string = "Nothing was signed."
): string => {
  const types = events.map(({ event }) => event.type)
  if (types.includes("signed")) return "Nothing was paid."
  const last = events.at(-1)?.event
  // The wallet signs the permit before the payment. Both signatures are sent, or none.
  if (last?.type === "verified" && last.payment?.signatures === 2) {
    return "No payment was signed. If you signed the permit, this page has discarded it."
  }
  const prompts = types.filter((type) => type === "authorizing").length
  // This event precedes the wallet prompt. The user may have rejected the prompt or left it open, so the event does not
  // prove that the delegation was signed.
  const isLast = types.at(-1) === "authorizing"
  const refused = isLast && isSwapError(error) && error._tag === "SignerError"
  if (prompts === (refused ? 1 : 0)) return nothing
  const left = isLast && error === undefined
  return `${left ? "The delegation may have been signed." : "Only the delegation was signed."} Nothing was paid.`
}
