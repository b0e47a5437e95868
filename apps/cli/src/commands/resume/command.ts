/** Defines `geoswap resume`. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { lazyHandler } from "../lazyHandler.js"
import { booleanFlag } from "../../flags/parameters.js"

/** Resumes interrupted swaps. */
export const resume = Command.make(
  "resume",
  {
    id: Argument.String("id").pipe(
      Argument.withDescription("A flow id or swap id (default: the unfinished swap, if there is exactly one)"),
      Argument.optional
    ),
    all: booleanFlag("all", "Resume all unfinished swaps, one after another")
  },
  lazyHandler(() => import("./handler.js"))
).pipe(Command.withDescription("Resume an interrupted swap. A swap is never executed twice"))
