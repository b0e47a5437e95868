/** What the failures of ports mean for a caller. */
import type { ChainUnavailable } from "./Chains.js"
import { refuse, type Refusal } from "../Refusal.js"

/** The node of a chain does not answer. */
export const chainRefusal = (error: ChainUnavailable): Refusal =>
  error.behind === true
    ? behindRefusal(`The nodes of chain ${error.chainId} are`)
    : refuse(
        error.timeout ? "UPSTREAM_TIMEOUT" : "UNAVAILABLE",
        `Chain ${error.chainId} cannot be reached at the moment. Nothing was done: try again in a few seconds.`,
        { retryAfter: 2 }
      )

/** What the nodes show is older than what other swaps released. */
export const behindRefusal = (who = "The nodes are"): Refusal =>
  refuse(
    "UNAVAILABLE",
    `${who} behind the newest swaps, so that balances are unknown. Nothing was done: try again in a few seconds.`,
    { retryAfter: 2 }
  )
