/** `geoswap resume`. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { lazily } from "./lazyHandler.js"
import { toggle } from "./swapFlags.js"

/** Takes up what was interrupted. */
export const resume = Command.make(
  "resume",
  {
    id: Argument.String("id").pipe(
      Argument.withDescription("The flow or the swap to take up; the only unfinished one where absent"),
      Argument.optional
    ),
    all: toggle("all", "Take up all that are unfinished, one after the other")
  },
  lazily(() => import("./resumeHandler.js"))
).pipe(Command.withDescription("Take up a swap that was interrupted; it is never done twice"))
