/** Prices a resolved swap, and checks that the service can accept its input and deliver its output. */
import * as Effect from "effect/Effect"
import type { ChainUnavailable } from "../chains/ChainError.js"
import { chainOf, type Directory } from "../chains/Directory.js"
import { together } from "../concurrency/together.js"
import { refuse } from "../domain/Refusal.js"
import type { PriceInput, Pricing } from "./Pricing.js"
import type { Parties, ResolvedSwap } from "./resolveSwap.js"

/**
 * Prices a swap, and reads the service's capacity for it. Nothing is reserved. The delivery of `sampleOrder` uses as much
 * gas as that of the swap.
 */
export const priceSwap = Effect.fnUntracedEager(function* (
  { price }: Pricing,
  resolved: ResolvedSwap,
  { recipient, wallet }: Parties,
  sampleOrder: string
) {
  const { destination, inputToken, origin, outputToken } = resolved
  // Read this only once. The result determines both who pays for the recipient's token account and whether the delivery
  // opens it.
  const opensAccount =
    destination.family === "solana" &&
    recipient !== undefined &&
    (yield* destination.lacksAccount(outputToken.address, recipient))
  const parties = { ...(wallet !== undefined && { wallet }), ...(recipient !== undefined && { recipient }) }
  const swap = { ...resolved, ...parties, opensAccount }
  const pricing = Effect.fnUntracedEager(function* () {
    if (destination.family !== "evm") return { priced: yield* price(swap) }
    // Read the gas only once. The result determines both the charge for the delivery and the gas that is stored in the
    // quote. At submission, the stored gas is compared with the gas that the delivery then needs.
    const { charged: deliveryGas } = yield* destination.deliveryGas({
      token: outputToken.address,
      orderId: sampleOrder,
      ...(recipient !== undefined && { to: recipient }),
      amount: 1n
    })
    return { deliveryGas, priced: yield* price({ ...swap, deliveryGas }) }
  })
  const [prices, largest, inventory] = yield* together([
    pricing(),
    origin.largestInput(inputToken.address, wallet),
    destination.inventoryOf(outputToken.address)
  ])
  return { ...prices, swap, capacity: { largest, inventory } }
})

/**
 * Reads a value again if the cached value is below the amount that the quote needs, because a quote must not be refused
 * due to a stale value.
 */
export const rereadIfBelow = (cached: bigint, wanted: bigint, again: () => Effect.Effect<bigint, ChainUnavailable>) =>
  cached < wanted ? again() : Effect.succeed(cached)

/**
 * Refuses a swap that exceeds the service's capacity: the largest input that the service accepts at once, and the output
 * that it can deliver. `seen` may be stale, so a capacity that is too small is read again from the chains in `uncached`.
 */
export const checkCapacity = Effect.fnUntracedEager(function* (
  uncached: Directory,
  { amount, destination, inputToken, origin, outputToken, wallet }: PriceInput,
  output: bigint,
  seen: { readonly largest: bigint; readonly inventory: bigint }
) {
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
