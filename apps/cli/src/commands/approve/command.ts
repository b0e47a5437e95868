/** Defines `geoswap approve`. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"
import { booleanFlag } from "../../flags/parameters.js"
import { lazyHandler } from "../lazyHandler.js"

/** Approves a swap that the policy lets only a person approve. */
export const approve = Command.make(
  "approve",
  {
    id: Argument.String("id").pipe(
      Argument.withDescription("The id of the request"),
      Argument.optional,
      Argument.map(Option.getOrUndefined)
    ),
    list: booleanFlag("list", "List the requests"),
    reject: booleanFlag("reject", "Reject the request"),
    minOutput: Flag.String("min-output").pipe(
      Flag.withMetavar("amount"),
      Flag.withDescription("Accept a lower minimum output, in tokens, so that the price may move until the swap"),
      Flag.optional,
      Flag.map(Option.getOrUndefined)
    )
  },
  lazyHandler(() => import("./handler.js"))
).pipe(
  Command.withDescription("Approve a swap of an agent, after you have seen its terms. Asks for the wallet's password"),
  Command.withExamples([
    { command: "geoswap approve --list" },
    { command: "geoswap approve evm-1f2e3d4c5b6a", description: "Show the terms, and approve them" }
  ])
)
