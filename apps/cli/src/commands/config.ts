/** `geoswap config`. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { lazily } from "./lazyHandler.js"

const load = () => import("./configHandler.js")

const field = Argument.String("field").pipe(
  Argument.withDescription("A field with dots, such as service.url or policy.maxFeeBps")
)

const show = Command.make(
  "show",
  {},
  lazily(async () => ({ run: (await load()).show }))
).pipe(Command.withDescription("Print the file, without what could be secret"))

const path = Command.make(
  "path",
  {},
  lazily(async () => ({ run: (await load()).path }))
).pipe(Command.withDescription("Print where the file is"))

const get = Command.make(
  "get",
  { field },
  lazily(async () => ({ run: (await load()).get }))
).pipe(Command.withDescription("Print one field"))

const set = Command.make(
  "set",
  {
    field,
    value: Argument.String("value").pipe(
      Argument.withDescription("A text, or JSON for anything else; null removes the field")
    )
  },
  lazily(async () => ({ run: (await load()).set }))
).pipe(Command.withDescription("Change one field, if the file is right with it"))

/** Shows and changes the configuration. */
export const config = Command.make("config").pipe(
  Command.withDescription("Show or change the configuration"),
  Command.withSubcommands([show, path, get, set])
)
