/** `geoswap status`. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { lazily } from "./lazyHandler.js"
import { toggle } from "./swapFlags.js"

/** Tells how a swap stands. */
export const status = Command.make(
  "status",
  {
    swapId: Argument.String("swap-id").pipe(Argument.withDescription("The id that the service gave the swap")),
    watch: toggle("watch", "Wait until it has ended")
  },
  lazily(() => import("./statusHandler.js"))
).pipe(Command.withDescription("Tell how a swap stands, or wait for its end"))
