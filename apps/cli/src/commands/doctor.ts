/** `geoswap doctor`. */
import * as Command from "effect/cli/Command"
import { lazily } from "../internal/lazily.js"

/** Looks at everything. */
export const doctor = Command.make(
  "doctor",
  {},
  lazily(() => import("../run/doctor.js"))
).pipe(Command.withDescription("Check the service, the key, the contracts and the wallet, and say what to do"))
