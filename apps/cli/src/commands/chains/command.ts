/** Defines `geoswap chains`. */
import * as Command from "effect/cli/Command"
import { lazyHandler } from "../lazyHandler.js"

/** Lists the chains. */
export const chains = Command.make(
  "chains",
  {},
  lazyHandler(() => import("./handler.js"))
).pipe(Command.withDescription("List the chains you can swap between"))
