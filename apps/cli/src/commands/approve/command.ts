/** Defines `geoswap approve`. */
import { booleanFlag, optionalArgument, optionalFlag } from "../../flags/parameters.js"
import { lazyCommand } from "../lazyCommand.js"

/** Approves a swap that the policy lets only a person approve. */
export const approve = lazyCommand(
  "approve",
  "Approve a swap of an agent, after you have seen its terms. Asks for the wallet's password",
  {
    id: optionalArgument("id", "The id of the request"),
    list: booleanFlag("list", "List the requests"),
    reject: booleanFlag("reject", "Reject the request"),
    minOutput: optionalFlag(
      "min-output",
      "amount",
      "Accept a lower minimum output, in tokens, so that the price may move until the swap"
    )
  },
  () => import("./handler.js"),
  "run",
  [
    { command: "geoswap approve --list" },
    { command: "geoswap approve evm-1f2e3d4c5b6a", description: "Show the terms, and approve them" }
  ]
)
