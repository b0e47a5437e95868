/** The refusals of calls whose chain does not answer. */
import { type Refusal, refuse } from "../Refusal.js"
import type { ChainUnavailable } from "./Chains.js"

/** The nodes of a chain do not answer, or are behind. */
export const chainRefusal = (error: ChainUnavailable): Refusal =>
  error.behind === true
    ? behindRefusal(`The nodes of chain ${error.chainId} are`)
    : refuse(
        error.timeout ? "UPSTREAM_TIMEOUT" : "UNAVAILABLE",
        `Chain ${error.chainId} cannot be reached at the moment. Nothing was done. Try again in a few seconds.`,
        { retryAfter: 2 }
      )

/** The nodes are behind the blocks at which other swaps released funds. */
export const behindRefusal = (who = "The nodes are"): Refusal =>
  refuse(
    "UNAVAILABLE",
    `${who} behind the newest swaps, so balances are unknown. Nothing was done. Try again in a few seconds.`,
    { retryAfter: 2 }
  )
