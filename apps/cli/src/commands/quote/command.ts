/** Defines `geoswap quote`. */
import { quoteParams } from "../../flags/swapFlags.js"
import { lazyCommand } from "../lazyCommand.js"

/** Shows the current price of a swap. */
export const quote = lazyCommand(
  "quote",
  "Show the current price of a swap",
  quoteParams,
  () => import("./handler.js"),
  "run",
  [{ command: "geoswap quote 10 usdc@base weth@arbitrum", description: "Show the price of 10 USDC in WETH" }]
)
