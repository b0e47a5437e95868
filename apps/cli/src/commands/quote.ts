/** `geoswap quote`. */
import * as Command from "effect/cli/Command"
import { lazily } from "./lazyHandler.js"
import { quoteParams } from "./swapFlags.js"

/** Tells a price. */
export const quote = Command.make(
  "quote",
  quoteParams,
  lazily(() => import("./quoteHandler.js"))
).pipe(
  Command.withDescription("Tell what a swap would give now"),
  Command.withExamples([
    { command: "geoswap quote 10 usdc@base weth@arbitrum", description: "The price of ten USDC in WETH" }
  ])
)
