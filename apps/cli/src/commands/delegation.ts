/** `geoswap delegation`. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { lazily } from "./lazyHandler.js"

/** Tells the delegations. */
export const delegation = Command.make(
  "delegation",
  {
    chain: Argument.String("chain").pipe(
      Argument.withDescription("An EVM chain by its name, alias or id; all of them where absent"),
      Argument.optional
    )
  },
  lazily(() => import("./delegationHandler.js"))
).pipe(Command.withDescription("Tell whether the wallet is delegated, and to which contract"))
