/** Prices a resolved swap, and checks that the service can accept its input and deliver its output. */
import * as Effect from "effect/Effect"
import type { ChainUnavailable } from "../chains/ChainError.js"
import { chainRefusal } from "../chains/chainRefusal.js"
import { chainOf, type Directory } from "../chains/Directory.js"
import { together } from "../concurrency/together.js"
import { type Refusal, refuse } from "../domain/Refusal.js"
import type { PricedQuote, Pricing } from "./Pricing.js"
import type { Parties, ResolvedSwap } from "./resolveSwap.js"

/** A swap with its parties, and whether its delivery opens the recipient's token account on Solana. */
export interface SwapToPrice extends ResolvedSwap, Parties {
  readonly opensAccount: boolean
}

/** A price, and the gas that the price includes for a delivery on an EVM chain. */
export interface SwapPrice {
  readonly charged: { readonly deliveryGas?: bigint }
  readonly priced: PricedQuote
}

/**
 * Checks whether the delivery opens the recipient's token account. Check only once per quote, because the result
 * determines both who pays for the account and whether the delivery opens it.
 */
export const opensAccount = (
  { destination, outputToken }: Pick<ResolvedSwap, "destination" | "outputToken">,
  recipient: string
): Effect.Effect<boolean, Refusal> =>
  destination.family === "solana"
    ? Effect.mapErrorEager(destination.lacksAccount(outputToken.address, recipient), chainRefusal)
    : Effect.succeed(false)

/** Prices a swap. */
export const priceSwap = Effect.fnUntracedEager(function* (
  { price }: Pricing,
  swap: SwapToPrice
): Effect.fn.Return<SwapPrice, Refusal> {
  const { destination, outputToken, recipient } = swap
  // Read the gas only once. The result determines both the charge for the delivery and the gas that is stored in the
  // quote. At submission, the stored gas is compared with the gas that the delivery then needs.
  const gas =
    destination.family === "evm"
      ? yield* Effect.mapErrorEager(
          destination.deliveryGas({
            token: outputToken.address,
            ...(recipient !== undefined && { to: recipient }),
            amount: 1n
          }),
          chainRefusal
        )
      : undefined
  const charged = gas === undefined ? {} : { deliveryGas: gas.charged }
  return { charged, priced: yield* price({ ...swap, ...charged }) }
})

/**
 * Reads a value again if the cached value is below the amount that the quote needs, because a quote must not be refused
 * due to a stale value.
 */
export const rereadIfBelow = (
  cached: bigint,
  wanted: bigint,
  again: () => Effect.Effect<bigint, ChainUnavailable>
): Effect.Effect<bigint, Refusal> => (cached < wanted ? Effect.mapError(again(), chainRefusal) : Effect.succeed(cached))

/** The largest input that the service accepts at once, and the output that it can deliver. */
export interface Capacity {
  readonly largest: bigint
  readonly inventory: bigint
}

/** Reads the service's capacity for a swap. Nothing is reserved. */
export const readCapacity = ({
  destination,
  inputToken,
  origin,
  outputToken,
  wallet
}: SwapToPrice): Effect.Effect<Capacity, Refusal> =>
  Effect.mapBothEager(
    together([origin.largestInput(inputToken.address, wallet), destination.inventoryOf(outputToken.address)]),
    { onSuccess: ([largest, inventory]) => ({ largest, inventory }), onFailure: chainRefusal }
  )

/**
 * Refuses a swap that exceeds the service's capacity. `seen` may be stale, so a capacity that is too small is read
 * again from the chains in `uncached`.
 */
export const checkCapacity = Effect.fnUntracedEager(function* (
  uncached: Directory,
  swap: SwapToPrice,
  output: bigint,
  seen: Capacity
): Effect.fn.Return<void, Refusal> {
  const { amount, destination, inputToken, origin, outputToken, wallet } = swap
  const [from, to] = [yield* chainOf(uncached, origin.id), yield* chainOf(uncached, destination.id)]
  const largest = yield* rereadIfBelow(seen.largest, amount, () => from.largestInput(inputToken.address, wallet))
  if (largest < amount) {
    return yield* refuse(
      "NEEDS_SMALLER_SIZE",
      `At most ${largest} ${inputToken.symbol} (in the token's smallest unit) can be swapped at once. Use a smaller amount.`,
      { details: { maximum: `${largest}` } }
    )
  }
  const inventory = yield* rereadIfBelow(seen.inventory, output, () => to.inventoryOf(outputToken.address))
  if (inventory < output) {
    // The inventory is not revealed: with the exact amount, one swap could use up all of it.
    return yield* refuse(
      "NEEDS_SMALLER_SIZE",
      `The service does not have enough ${outputToken.symbol} on ${destination.name} for this swap at the moment. Try a smaller amount, or try again later.`
    )
  }
})
