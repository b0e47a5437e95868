/** Whether the output of a swap can still be delivered as quoted: at its price, to its recipient, with its gas. */
import { Chain as CoreChain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { Chain, EvmChain } from "../chains/Chains.js"
import type { Directory } from "../chains/Directory.js"
import type { Draft } from "../chains/Draft.js"
import type * as Config from "../config/Config.js"
import { refuse } from "../domain/Refusal.js"
import type { QuoteContext } from "../operations/tokenContents.js"
import { currentPrice, worthDelivering } from "../pricing/priceDrift.js"
import type { Pricing } from "../pricing/Pricing.js"

/** What is needed to price a swap again. */
interface Repricing {
  readonly directory: Directory
  readonly pricing: Pricing
  readonly quotes: Config.Config["quotes"]
}

/**
 * Checks the price again. This check prevents a quote from being a free option, and avoids collecting an input that
 * would then have to be refunded.
 */
export const checkPrice = Effect.fnUntraced(function* ({ directory, pricing, quotes }: Repricing, quote: QuoteContext) {
  const price = yield* currentPrice(directory, pricing, quote)
  if (!worthDelivering(quote, price, quotes)) {
    return yield* refuse(
      "SLIPPAGE",
      "The price has moved too far since the quote. Request a new quote, then build and sign again."
    )
  }
})

/**
 * Refuses a recipient that cannot receive the output, because the input would be collected and then refunded at the
 * service's expense. If the delivery would fail for every recipient, the swap is not refused, because the cause may be
 * fixed before the delivery.
 */
const checkRecipient = (
  destination: Chain,
  { opensAccount, orderId, output, outputToken, recipient }: QuoteContext
) => {
  const job = { kind: "deliver", orderId, token: outputToken, amount: output } as const
  return destination.prepare({ ...job, to: recipient, opensAccount }).pipe(
    Effect.catchTag("Impossible", (refused) =>
      destination.prepare({ ...job, to: destination.relayer, opensAccount: true }).pipe(
        Effect.andThen(
          Effect.fail(
            refuse(
              "NO_ROUTE",
              `The recipient cannot receive the output on ${destination.name}: ${refused.message} Use another recipient.`
            )
          )
        ),
        Effect.catchTag("Impossible", () => Effect.undefined)
      )
    )
  )
}

/**
 * The percentage by which the gas that a delivery needs may exceed the quoted gas. The margin is needed because
 * estimates vary and balances change.
 */
const moreGasPercent = 25n

/**
 * The gas that a delivery needs now. A token's delivery was already simulated. A recipient of native tokens may use more
 * gas than the simulation shows.
 */
const neededGas = (destination: EvmChain, { output, outputToken, recipient }: QuoteContext, draft: Draft | undefined) =>
  outputToken === CoreChain.nativeToken.evm
    ? Effect.map(destination.deliveryGas({ token: outputToken, to: recipient, amount: output }), ({ needed }) => needed)
    : Effect.succeed(draft?.gas ?? 0n)

/**
 * Refuses a recipient that cannot receive the output, and a quote that no longer covers the gas for the delivery, for
 * example because the recipient's code has become more expensive to run.
 */
export const checkDelivery = Effect.fnUntraced(function* (destination: Chain, quote: QuoteContext) {
  const { deliveryGas } = quote
  const draft = yield* checkRecipient(destination, quote)
  if (destination.family !== "evm" || deliveryGas === undefined) return
  const needed = yield* neededGas(destination, quote, draft)
  if (needed * 100n <= deliveryGas * (100n + moreGasPercent)) return
  return yield* refuse(
    "SLIPPAGE",
    `The delivery on ${destination.name} now requires more gas than the quote pays for. Request a new quote, then build and sign again.`,
    { details: { quotedGas: `${deliveryGas}`, neededGas: `${needed}` } }
  )
})
