/** Defines `geoswap balance`. */
import { optionalFlag } from "../../flags/parameters.js"
import { lazyCommand } from "../lazyCommand.js"

/** Shows the wallets' balances. */
export const balance = lazyCommand(
  "balance",
  "Show your wallets' balances, as read from your nodes",
  { chain: optionalFlag("chain", "chain", "Show only the chain with this name, alias or id") },
  () => import("./handler.js"),
  "run"
)
