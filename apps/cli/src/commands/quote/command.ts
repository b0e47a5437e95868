/** Defines `geoswap quote`. */
import * as Command from "effect/cli/Command"
import { lazyHandler } from "../lazyHandler.js"
import { quoteParams } from "../../flags/swapFlags.js"

/** Shows the current price of a swap. */
export const quote = Command.make(
  "quote",
  quoteParams,
  lazyHandler(() => import("./handler.js"))
).pipe(
  Command.withDescription("Show the current price of a swap"),
  Command.withExamples([
    { command: "geoswap quote 10 usdc@base weth@arbitrum", description: "Show the price of 10 USDC in WETH" }
  ])
)
