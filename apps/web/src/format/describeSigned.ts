/** Describes what was signed for a swap that did not happen. */
import { isSwapError } from "@geoswap/core/promise"
import type { SwapState } from "@geoswap/react"
import { text } from "../language/language.js"

/**
 * Describes what was signed, based on the swap's events and its error, if any. Returns the text in `nothing` if nothing
 * was signed.
 */
export const describeSigned = (
  events: SwapState["events"],
  error: unknown,
  nothing: string = text().signed.nothing
): string => {
  const types = events.map(({ event }) => event.type)
  if (types.includes("signed")) return text().signed.nothingPaid
  const last = events.at(-1)?.event
  // The wallet signs the permit before the payment. Both signatures are sent, or none.
  if (last?.type === "verified" && last.payment?.signatures === 2) {
    return text().signed.permitDiscarded
  }
  const prompts = types.filter((type) => type === "authorizing").length
  // This event precedes the wallet prompt. The user may have rejected the prompt or left it open, so the event does not
  // prove that the delegation was signed.
  const isLast = types.at(-1) === "authorizing"
  const refused = isLast && isSwapError(error) && error._tag === "SignerError"
  if (prompts === (refused ? 1 : 0)) return nothing
  const left = isLast && error === undefined
  return left ? text().signed.maybeDelegation : text().signed.onlyDelegation
}
