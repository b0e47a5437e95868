/** Defines `geoswap resume`. */
import { booleanFlag, optionalArgument } from "../../flags/parameters.js"
import { lazyCommand } from "../lazyCommand.js"

/** Resumes interrupted swaps. */
export const resume = lazyCommand(
  "resume",
  "Resume an interrupted swap. A swap is never executed twice",
  {
    id: optionalArgument("id", "A flow id or swap id (default: the unfinished swap, if there is exactly one)"),
    all: booleanFlag("all", "Resume all unfinished swaps, one after another")
  },
  () => import("./handler.js"),
  "run"
)
