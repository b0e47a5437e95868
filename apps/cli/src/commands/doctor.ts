/** `geoswap doctor`. */
import * as Command from "effect/cli/Command"
import { lazily } from "./lazyHandler.js"

/** Looks at everything. */
export const doctor = Command.make(
  "doctor",
  {},
  lazily(() => import("./doctorHandler.js"))
).pipe(Command.withDescription("Check the service, the key, the contracts and the wallet, and say what to do"))
