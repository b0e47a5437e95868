/** Defines `geoswap delegation`. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { lazyHandler } from "./lazyHandler.js"

/** Shows the EVM wallet's delegations. */
export const delegation = Command.make(
  "delegation",
  {
    chain: Argument.String("chain").pipe(
      Argument.withDescription("The name, alias or id of an EVM chain (default: all)"),
      Argument.optional
    )
  },
  lazyHandler(() => import("./delegationHandler.js"))
).pipe(Command.withDescription("Show whether the wallet is delegated and, if so, to which contract"))
