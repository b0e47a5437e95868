/** `geoswap quote`. */
import * as Command from "effect/cli/Command"
import { lazily } from "../internal/lazily.js"
import { quoteParams } from "../internal/swap/params.js"

/** Tells a price. */
export const quote = Command.make(
  "quote",
  quoteParams,
  lazily(() => import("../run/quote.js"))
).pipe(
  Command.withDescription("Tell what a swap would give now"),
  Command.withExamples([
    { command: "geoswap quote 10 usdc@base weth@arbitrum", description: "The price of ten USDC in WETH" }
  ])
)
