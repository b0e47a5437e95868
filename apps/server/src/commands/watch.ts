/** Defines `geoswap-server watch`. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"
import { booleanFlag } from "./flags.js"
import { lazyHandler } from "./lazyHandler.js"

/** Shows the swaps in progress. */
export const watch = Command.make(
  "watch",
  {
    interval: Flag.String("interval").pipe(
      Flag.withMetavar("seconds"),
      Flag.withDescription("How often to read the database (default: 1)"),
      Flag.withDefault("1"),
      Flag.filterMap(
        (text) => {
          const seconds = /^\d{1,4}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN
          return seconds >= 0.1 && seconds <= 3_600 ? Option.some(seconds) : Option.none()
        },
        () => "a number of seconds from 0.1 to 3600"
      )
    ),
    json: booleanFlag("json", "Print each change of a swap as a JSON object on its own line")
  },
  lazyHandler(async () => (await import("./watchHandler.js")).watch)
).pipe(
  Command.withDescription(
    "Show the swaps in progress in a live table, or each change in a pipe, until you press Ctrl-C"
  )
)
