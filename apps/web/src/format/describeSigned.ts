/** What had been signed of a swap that came to nothing, in words. */
import { isSwapError } from "@geoswap/core/promise"
import type { SwapState } from "@geoswap/react"

/** What was signed, by the swap's events and by what ended it, if not the person; `nothing` is said where nothing was. */
export const describeSigned = (
  events: SwapState["events"],
  error: unknown,
  nothing: string = "Nothing was signed."
): string => {
  const types = events.map(({ event }) => event.type)
  if (types.includes("signed")) return "Nothing was paid."
  const asked = types.filter((type) => type === "authorizing").length
  // Told before the wallet is asked: it may have refused, or be left while it waits.
  const isLast = types.at(-1) === "authorizing"
  const refused = isLast && isSwapError(error) && error._tag === "SignerError"
  if (asked === (refused ? 1 : 0)) return nothing
  const left = isLast && error === undefined
  return `${left ? "At most" : "Only"} the delegation was signed; nothing was paid.`
}
