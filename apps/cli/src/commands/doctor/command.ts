/** Defines `geoswap doctor`. */
import { lazyCommand } from "../lazyCommand.js"

/** Checks the setup. */
export const doctor = lazyCommand(
  "doctor",
  "Check the service, keys, contracts and wallet, and list any problems and how to fix them",
  {},
  () => import("./handler.js"),
  "run"
)
