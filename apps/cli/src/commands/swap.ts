/** `geoswap swap`. */
import * as Command from "effect/cli/Command"
import { lazily } from "../internal/lazily.js"
import { swapParams } from "../internal/swap/params.js"

/** Swaps. */
export const swap = Command.make(
  "swap",
  swapParams,
  lazily(() => import("../run/swap.js"))
).pipe(
  Command.withDescription("Swap a token for another, on the same chain or between chains"),
  Command.withExamples([
    { command: "geoswap swap 10 usdc@base weth@arbitrum", description: "Ten USDC on Base for WETH on Arbitrum" },
    { command: "geoswap swap --max usdc@base eth@arbitrum --yes", description: "All USDC for coins, asking nothing" }
  ])
)
