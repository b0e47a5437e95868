/** Defines `geoswap forget`. */
import { argument } from "../../flags/parameters.js"
import { lazyCommand } from "../lazyCommand.js"

/** Forgets an unfinished swap. */
export const forget = lazyCommand(
  "forget",
  "Forget an unfinished swap, if you know how it ended. If you are wrong, you may pay twice",
  { id: argument("id", "The flow id or swap id of an unfinished swap") },
  () => import("./handler.js"),
  "run"
)
