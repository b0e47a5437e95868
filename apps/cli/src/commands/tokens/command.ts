/** Defines `geoswap tokens`. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { lazyHandler } from "../lazyHandler.js"

/** Lists the tokens. */
export const tokens = Command.make(
  "tokens",
  {
    chain: Argument.String("chain").pipe(
      Argument.withDescription("A chain's name, alias or id (default: all)"),
      Argument.optional
    )
  },
  lazyHandler(() => import("./handler.js"))
).pipe(Command.withDescription("List the pinned tokens and the tokens that the service supports"))
