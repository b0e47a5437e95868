/** Defines `geoswap balance`. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { lazyHandler } from "../lazyHandler.js"

/** Shows the wallets' balances. */
export const balance = Command.make(
  "balance",
  {
    chain: Flag.String("chain").pipe(
      Flag.withMetavar("chain"),
      Flag.withDescription("Show only the chain with this name, alias or id"),
      Flag.optional
    )
  },
  lazyHandler(() => import("./handler.js"))
).pipe(Command.withDescription("Show your wallets' balances, as read from your nodes"))
