/** Defines `geoswap-server check`. */
import * as Command from "effect/cli/Command"
import { booleanFlag, json } from "./flags.js"
import { lazyHandler } from "./lazyHandler.js"

/** Checks the setup. */
export const check = Command.make(
  "check",
  {
    offline: booleanFlag("offline", "Do not query the chains"),
    web: booleanFlag("web", "Check that the swap page can be served"),
    json
  },
  lazyHandler(async () => (await import("./checkHandler.js")).check)
).pipe(Command.withDescription("Check the configuration, secrets, storage and chains, and list all problems"))
