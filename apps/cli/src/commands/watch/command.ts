/** Defines `geoswap watch`. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { lazyHandler } from "../lazyHandler.js"

/** Watches several swaps. */
export const watch = Command.make(
  "watch",
  {
    swapIds: Argument.String("swap-id").pipe(
      Argument.withDescription("The swaps to watch (default: the swaps in your history that have not finished)"),
      Argument.variadic()
    )
  },
  lazyHandler(() => import("./handler.js"))
).pipe(
  Command.withDescription("Watch several swaps until all of them have finished"),
  Command.withExamples([{ command: "geoswap watch", description: "Watch all swaps that have not finished" }])
)
