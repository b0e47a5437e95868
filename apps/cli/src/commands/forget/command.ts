/** Defines `geoswap forget`. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { lazyHandler } from "../lazyHandler.js"

/** Forgets an unfinished swap. */
export const forget = Command.make(
  "forget",
  { id: Argument.String("id").pipe(Argument.withDescription("The flow id or swap id of an unfinished swap")) },
  lazyHandler(() => import("./handler.js"))
).pipe(
  Command.withDescription("Forget an unfinished swap, if you know how it ended. If you are wrong, you may pay twice")
)
