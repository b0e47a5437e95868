/** Defines `geoswap doctor`. */
import * as Command from "effect/cli/Command"
import { lazyHandler } from "../lazyHandler.js"

/** Checks the setup. */
export const doctor = Command.make(
  "doctor",
  {},
  lazyHandler(() => import("./handler.js"))
).pipe(
  Command.withDescription("Check the service, keys, contracts and wallet, and list any problems and how to fix them")
)
