/** Refusals for API calls that depend on an unavailable chain. */
import { type Refusal, refuse } from "../domain/Refusal.js"
import type { ChainUnavailable } from "./ChainError.js"

/** Returns the refusal for a chain whose nodes do not respond or are behind. */
export const chainRefusal = (error: ChainUnavailable): Refusal =>
  error.behind === true
    ? behindRefusal(`The nodes for chain ${error.chainId}`)
    : refuse(
        error.timeout ? "UPSTREAM_TIMEOUT" : "UNAVAILABLE",
        `Chain ${error.chainId} cannot be reached at the moment. The request had no effect. Try again in a few seconds.`,
        { retryAfter: 2 }
      )

/** Returns the refusal for nodes that have not reached the blocks in which other swaps released funds. */
export const behindRefusal = (who = "The nodes"): Refusal =>
  refuse(
    "UNAVAILABLE",
    `${who} have not caught up with the latest swaps, so balances are unknown. The request had no effect. Try again in a few seconds.`,
    { retryAfter: 2 }
  )
