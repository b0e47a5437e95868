/** Defines `geoswap watch`. */
import * as Argument from "effect/cli/Argument"
import { argument } from "../../flags/parameters.js"
import { lazyCommand } from "../lazyCommand.js"

/** Watches several swaps. */
export const watch = lazyCommand(
  "watch",
  "Watch several swaps until all of them have finished",
  {
    swapIds: Argument.variadic(
      argument("swap-id", "The swaps to watch (default: the swaps in your history that have not finished)")
    )
  },
  () => import("./handler.js"),
  "run",
  [{ command: "geoswap watch", description: "Watch all swaps that have not finished" }]
)
