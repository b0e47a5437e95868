/** `geoswap history`. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { lazily } from "./lazyHandler.js"
import { toggle } from "./swapFlags.js"

/** Lists the swaps. */
export const history = Command.make(
  "history",
  {
    limit: Flag.Int("limit").pipe(
      Flag.filter(
        (count) => count > 0,
        () => "Expected a number above 0"
      ),
      Flag.withMetavar("count"),
      Flag.withDescription("How many, the latest first"),
      Flag.withDefault(20)
    ),
    refresh: toggle("refresh", "Ask the service about those that had no end yet")
  },
  lazily(() => import("./historyHandler.js"))
).pipe(Command.withDescription("List the swaps that this machine started"))
