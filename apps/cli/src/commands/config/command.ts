/** Defines `geoswap config`. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { lazyHandler } from "../lazyHandler.js"

const load = () => import("./handler.js")

const field = Argument.String("field").pipe(
  Argument.withDescription("A field path, such as service.url or policy.maxFeeBps")
)

const show = Command.make(
  "show",
  {},
  lazyHandler(async () => ({ run: (await load()).show }))
).pipe(Command.withDescription("Print the configuration with secrets hidden"))

const path = Command.make(
  "path",
  {},
  lazyHandler(async () => ({ run: (await load()).path }))
).pipe(Command.withDescription("Print the path of the configuration file"))

const get = Command.make(
  "get",
  { field },
  lazyHandler(async () => ({ run: (await load()).get }))
).pipe(Command.withDescription("Print one field"))

const set = Command.make(
  "set",
  {
    field,
    value: Argument.String("value").pipe(
      Argument.withDescription("A string, or JSON for any other value; null removes the field")
    )
  },
  lazyHandler(async () => ({ run: (await load()).set }))
).pipe(Command.withDescription("Set one field. Invalid values are rejected"))

/** Shows and changes the configuration. */
export const config = Command.make("config").pipe(
  Command.withDescription("Show or change the configuration"),
  Command.withSubcommands([show, path, get, set])
)
