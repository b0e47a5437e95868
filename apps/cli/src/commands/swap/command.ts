/** Defines `geoswap swap`. */
import { swapParams } from "../../flags/swapFlags.js"
import { lazyCommand } from "../lazyCommand.js"

/** Swaps tokens. */
export const swap = lazyCommand(
  "swap",
  "Swap one token for another, on one chain or between chains",
  swapParams,
  () => import("./handler.js"),
  "run",
  [
    { command: "geoswap swap 10 usdc@base weth@arbitrum", description: "Swap 10 USDC on Base for WETH on Arbitrum" },
    {
      command: "geoswap swap 10 usdc@base weth@arbitrum --yes --min-output 0.002",
      description: "Swap without prompting, for at least 0.002 WETH. --yes requires a minimum of your own"
    }
  ]
)
