/** Defines `geoswap delegation`. */
import * as Command from "effect/cli/Command"
import { argument, optionalArgument } from "../../flags/parameters.js"
import { lazyCommand } from "../lazyCommand.js"

const load = () => import("./handler.js")

const config = { chain: optionalArgument("chain", "The name, alias or id of an EVM chain (default: all)") }

/** Shows and removes the EVM wallet's delegations. Without a subcommand, shows them. */
export const delegation = lazyCommand(
  "delegation",
  "Show the wallet's delegations, or remove one",
  config,
  load,
  "show"
).pipe(
  Command.withSubcommands([
    lazyCommand("show", "Show whether the wallet is delegated and, if so, to which contract", config, load, "show"),
    lazyCommand(
      "revoke",
      "Remove the wallet's delegation on one chain. The service pays for the transaction. The next swap delegates again",
      { chain: argument("chain", "The name, alias or id of an EVM chain") },
      load,
      "revoke",
      [{ command: "geoswap delegation revoke base", description: "Remove the delegation on Base" }]
    )
  ])
)
