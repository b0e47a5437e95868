/** Defines `geoswap status`. */
import { argument, booleanFlag } from "../../flags/parameters.js"
import { lazyCommand } from "../lazyCommand.js"

/** Shows the status of a swap. */
export const status = lazyCommand(
  "status",
  "Show the status of a swap, or wait until it finishes",
  {
    swapId: argument("swap-id", "The swap id that the service returned"),
    watch: booleanFlag("watch", "Wait until the swap has settled, failed or been refunded")
  },
  () => import("./handler.js"),
  "run"
)
