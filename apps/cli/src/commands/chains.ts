/** `geoswap chains`. */
import * as Command from "effect/cli/Command"
import { lazily } from "./lazyHandler.js"

/** Lists the chains. */
export const chains = Command.make(
  "chains",
  {},
  lazily(() => import("./chainsHandler.js"))
).pipe(Command.withDescription("List the chains that can be swapped between"))
