/** Defines `geoswap config`. */
import * as Command from "effect/cli/Command"
import { argument } from "../../flags/parameters.js"
import { lazyCommand } from "../lazyCommand.js"

const load = () => import("./handler.js")

const field = argument("field", "A field path, such as service.url or policy.maxFeeBps")
const value = argument("value", "A string, or JSON for any other value; null removes the field")

/** Shows and changes the configuration. */
export const config = Command.make("config").pipe(
  Command.withDescription("Show or change the configuration"),
  Command.withSubcommands([
    lazyCommand("show", "Print the configuration with secrets hidden", {}, load, "show"),
    lazyCommand("path", "Print the path of the configuration file", {}, load, "path"),
    lazyCommand("get", "Print one field", { field }, load, "get"),
    lazyCommand("set", "Set one field. Invalid values are rejected", { field, value }, load, "set")
  ])
)
