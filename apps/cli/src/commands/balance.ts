/** `geoswap balance`. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { lazily } from "./lazyHandler.js"

/** Tells the balances. */
export const balance = Command.make(
  "balance",
  {
    chain: Flag.String("chain").pipe(
      Flag.withMetavar("chain"),
      Flag.withDescription("Only this chain, by its name, alias or id"),
      Flag.optional
    )
  },
  lazily(() => import("./balanceHandler.js"))
).pipe(Command.withDescription("Tell what the wallets hold, from the chains' own nodes"))
