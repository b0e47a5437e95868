/** Defines `geoswap chains`. */
import { lazyCommand } from "../lazyCommand.js"

/** Lists the chains. */
export const chains = lazyCommand(
  "chains",
  "List the chains you can swap between",
  {},
  () => import("./handler.js"),
  "run"
)
