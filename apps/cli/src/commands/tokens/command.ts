/** Defines `geoswap tokens`. */
import { optionalArgument } from "../../flags/parameters.js"
import { lazyCommand } from "../lazyCommand.js"

/** Lists the tokens. */
export const tokens = lazyCommand(
  "tokens",
  "List the pinned tokens and the tokens that the service supports",
  { chain: optionalArgument("chain", "A chain's name, alias or id (default: all)") },
  () => import("./handler.js"),
  "run"
)
