/** Defines `geoswap history`. */
import { booleanFlag, wholeFlag } from "../../flags/parameters.js"
import { lazyCommand } from "../lazyCommand.js"

/** Lists the swaps. */
export const history = lazyCommand(
  "history",
  "List the swaps started on this machine",
  {
    limit: wholeFlag(
      "limit",
      "count",
      [1, 1_000_000],
      "The maximum number of swaps to show, newest first (default: 20)"
    ),
    refresh: booleanFlag("refresh", "Get the current status of pending swaps from the service")
  },
  () => import("./handler.js"),
  "run"
)
