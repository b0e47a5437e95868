/** Defines `geoswap delegation`. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { lazyHandler } from "../lazyHandler.js"

const load = () => import("./handler.js")

const showHandler = lazyHandler(async () => ({ run: (await load()).show }))

const chain = Argument.String("chain").pipe(
  Argument.withDescription("The name, alias or id of an EVM chain (default: all)"),
  Argument.optional
)

const show = Command.make("show", { chain }, showHandler).pipe(
  Command.withDescription("Show whether the wallet is delegated and, if so, to which contract")
)

const revoke = Command.make(
  "revoke",
  { chain: Argument.String("chain").pipe(Argument.withDescription("The name, alias or id of an EVM chain")) },
  lazyHandler(async () => ({ run: (await load()).revoke }))
).pipe(
  Command.withDescription(
    "Remove the wallet's delegation on one chain. The service pays for the transaction. The next swap delegates again"
  ),
  Command.withExamples([{ command: "geoswap delegation revoke base", description: "Remove the delegation on Base" }])
)

/** Shows and removes the EVM wallet's delegations. Without a subcommand, shows them. */
export const delegation = Command.make("delegation", { chain }, showHandler).pipe(
  Command.withDescription("Show the wallet's delegations, or remove one"),
  Command.withSubcommands([show, revoke])
)
