/** `geoswap tokens`. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { lazily } from "./lazyHandler.js"

/** Lists the tokens. */
export const tokens = Command.make(
  "tokens",
  {
    chain: Argument.String("chain").pipe(
      Argument.withDescription("A chain by its name, alias or id; all of them where absent"),
      Argument.optional
    )
  },
  lazily(() => import("./tokensHandler.js"))
).pipe(Command.withDescription("List the tokens of a chain, or of all: the pinned ones, and what the service lists"))
