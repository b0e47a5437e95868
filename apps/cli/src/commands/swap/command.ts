/** Defines `geoswap swap`. */
import * as Command from "effect/cli/Command"
import { lazyHandler } from "../lazyHandler.js"
import { swapParams } from "../../flags/swapFlags.js"

/** Swaps tokens. */
export const swap = Command.make(
  "swap",
  swapParams,
  lazyHandler(() => import("./handler.js"))
).pipe(
  Command.withDescription("Swap one token for another, on one chain or between chains"),
  Command.withExamples([
    { command: "geoswap swap 10 usdc@base weth@arbitrum", description: "Swap 10 USDC on Base for WETH on Arbitrum" },
    {
      command: "geoswap swap 10 usdc@base weth@arbitrum --yes --min-output 0.002",
      description: "Swap without prompting, for at least 0.002 WETH. --yes requires a minimum of your own"
    }
  ])
)
