/** Defines `geoswap history`. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { lazyHandler } from "../lazyHandler.js"
import { booleanFlag } from "../../flags/parameters.js"

/** Lists the swaps. */
export const history = Command.make(
  "history",
  {
    limit: Flag.Int("limit").pipe(
      Flag.filter(
        (count) => count > 0,
        () => "Expected a number greater than 0"
      ),
      Flag.withMetavar("count"),
      Flag.withDescription("The maximum number of swaps to show, newest first (default: 20)"),
      Flag.withDefault(20)
    ),
    refresh: booleanFlag("refresh", "Get the current status of pending swaps from the service")
  },
  lazyHandler(() => import("./handler.js"))
).pipe(Command.withDescription("List the swaps started on this machine"))
