/** `geoswap chains`. */
import * as Command from "effect/cli/Command"
import { lazily } from "../internal/lazily.js"

/** Lists the chains. */
export const chains = Command.make(
  "chains",
  {},
  lazily(() => import("../run/chains.js"))
).pipe(Command.withDescription("List the chains that can be swapped between"))
