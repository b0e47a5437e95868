/**
 * Price drift: whether a quote's output is still worth delivering. The check runs when a swap is submitted, and again
 * when its input is final.
 */
import * as Effect from "effect/Effect"
import { assetOf, chainOf, type Directory } from "../chains/Directory.js"
import type * as Config from "../config/Config.js"
import type { Accepted } from "../domain/SwapRecord.js"
import type * as Pricing from "./Pricing.js"

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

/** Returns the venue's current output for a quoted swap, with the quote's input, fee and network cost. */
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
 * Whether to deliver the output at the current price. The quoted output is delivered if the price is within both
 * bounds: the caller's minimum, and the operator's maximum drift, which applies no matter what minimum the caller
 * accepts. In addition, the drift must not exceed the fee that the wallet pays after its discount. Otherwise, the quote
 * would be a free option.
 */
export const worthDelivering = (
  { feeBps, minOutput, output }: Pick<QuotedSwap, "feeBps" | "minOutput" | "output">,
  price: bigint,
  { maxDriftBps }: Pick<Config.Config["quotes"], "maxDriftBps">
): boolean =>
  price >= minOutput && price * 10_000n >= output * BigInt(10_000 - Math.min(maxDriftBps, Math.floor(feeBps)))
