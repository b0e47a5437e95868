/** Whether what was quoted is still worth it: asked when a swap is submitted, and again when its input is final. */
import * as Effect from "effect/Effect"
import type * as Config from "../config/Config.js"
import type * as Pricing from "./Pricing.js"
import type { Accepted } from "../store/SwapRecord.js"
import { assetOf, chainOf, type Directory } from "../chains/Directory.js"

type QuotedSwap = Pick<
  Accepted,
  | "originChain"
  | "destinationChain"
  | "inputToken"
  | "outputToken"
  | "amount"
  | "feeBps"
  | "networkCost"
  | "output"
  | "minOutput"
>

/** What the venue gives now for the same input, fee and network cost. */
export const currentPrice = Effect.fnUntraced(function* (
  directory: Directory,
  pricing: Pricing.Pricing,
  swap: QuotedSwap
) {
  const origin = yield* chainOf(directory, swap.originChain)
  const destination = yield* chainOf(directory, swap.destinationChain)
  const inputToken = yield* assetOf(directory, origin, swap.inputToken)
  const outputToken = yield* assetOf(directory, destination, swap.outputToken)
  const { amount, feeBps, networkCost } = swap
  return yield* pricing.reprice({ inputToken, outputToken, amount, feeBps, networkCost })
})

/**
 * The quoted output is delivered whatever the price does in between, so that it may not fall far: not below the caller's
 * minimum, and not by more than the operator bears, whatever minimum the caller accepts. A wallet with a discount pays
 * less than the configured fee: beyond what it pays, the quote would be an option that costs nothing.
 */
export const worthDelivering = (
  { feeBps, minOutput, output }: Pick<QuotedSwap, "feeBps" | "minOutput" | "output">,
  price: bigint,
  { maxDriftBps }: Pick<Config.Config["quotes"], "maxDriftBps">
): boolean =>
  price >= minOutput && price * 10_000n >= output * BigInt(10_000 - Math.min(maxDriftBps, Math.floor(feeBps)))
