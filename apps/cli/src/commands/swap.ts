/** `geoswap swap`. */
import * as Command from "effect/cli/Command"
import { lazily } from "./lazyHandler.js"
import { swapParams } from "./swapFlags.js"

/** Swaps. */
export const swap = Command.make(
  "swap",
  swapParams,
  lazily(() => import("./swapHandler.js"))
).pipe(
  Command.withDescription("Swap a token for another, on the same chain or between chains"),
  Command.withExamples([
    { command: "geoswap swap 10 usdc@base weth@arbitrum", description: "Ten USDC on Base for WETH on Arbitrum" },
    { command: "geoswap swap --max usdc@base eth@arbitrum --yes", description: "All USDC for coins, asking nothing" }
  ])
)
