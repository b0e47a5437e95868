/** Defines `geoswap status`. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { lazyHandler } from "../lazyHandler.js"
import { booleanFlag } from "../../flags/parameters.js"

/** Shows the status of a swap. */
export const status = Command.make(
  "status",
  {
    swapId: Argument.String("swap-id").pipe(Argument.withDescription("The swap id that the service returned")),
    watch: booleanFlag("watch", "Wait until the swap has settled, failed or been refunded")
  },
  lazyHandler(() => import("./handler.js"))
).pipe(Command.withDescription("Show the status of a swap, or wait until it finishes"))
