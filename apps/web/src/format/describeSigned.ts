/** Describes what was signed for a swap that did not happen. */
import { isSwapError, signedSoFar } from "@geoswap/core/promise"
import type { UseSwapResult } from "@geoswap/react"
import { text } from "../language/language.js"

/**
 * Describes what was signed, based on the swap's events and its error, if any. Returns the text in `nothing` if nothing
 * was signed.
 */
export const describeSigned = (
  events: UseSwapResult["events"],
  error: unknown,
  nothing: string = text.signed.nothing
) => {
  const { delegation, permit, swap } = signedSoFar(events.map(({ event }) => event))
  const { maybeDelegation, nothingPaid, onlyDelegation, permitDiscarded } = text.signed
  if (swap !== "none") return nothingPaid
  if (permit) return permitDiscarded
  if (delegation !== "asked") return delegation === "none" ? nothing : onlyDelegation
  // The wallet's error shows that it signed nothing. Without an error, the prompt may have been left open.
  if (isSwapError(error) && error._tag === "SignerError") return nothing
  return error === undefined ? maybeDelegation : onlyDelegation
}
