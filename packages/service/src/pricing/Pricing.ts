/**
 * Prices swaps. The output is the venue's price for the input after the network cost and the fee have been deducted.
 */
import { Amount, type Quote } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { ChainUnavailable } from "../chains/ChainError.js"
import type { Chain } from "../chains/Chains.js"
import type { CostQuery } from "../chains/Draft.js"
import { together } from "../concurrency/together.js"
import type * as Config from "../config/Config.js"
import { type Refusal, refuse } from "../domain/Refusal.js"
import { withSpanIfTraced } from "../tracing/withSpanIfTraced.js"
import type * as Venue from "../venue/Venue.js"
import { discounted, grossOf, netOf, tierOf } from "./fees.js"
import { costIn } from "./networkCost.js"
import { usdValues } from "./priceImpact.js"
import type { Parties, ResolvedSwap } from "./resolveSwap.js"

/**
 * A swap to price. Without a wallet, the price is the one for a wallet that is delegated and has no discount. Without a
 * recipient, the price is the one for a recipient without code that already holds the token.
 */
export interface PriceInput extends ResolvedSwap, Parties {
  /** Whether the network cost includes opening the recipient's token account on Solana. */
  readonly opensAccount: boolean
  /** The gas for the delivery on an EVM chain, if it is already known. */
  readonly deliveryGas?: bigint
}

/** A quote before it is sealed. */
export interface PricedQuote {
  readonly output: bigint
  readonly minOutput: bigint
  readonly feeBps: number
  /** The network cost, in the input token. */
  readonly networkCost: bigint
  readonly feeDiscount?: Quote.FeeDiscount
  readonly inputUsd?: string
  readonly outputUsd?: string
  readonly priceImpactBps?: number
  readonly warnings: ReadonlyArray<Quote.Warning>
}

/** A swap to price again, on the terms of its quote. */
export interface RepriceInput extends Pick<PriceInput, "inputToken" | "outputToken" | "amount"> {
  readonly feeBps: number
  readonly networkCost: bigint
}

export interface Pricing {
  /** Prices a swap. */
  readonly price: (
    input: PriceInput
  ) => Effect.Effect<PricedQuote, Refusal | ChainUnavailable | Venue.NoPrice | Venue.VenueUnavailable>
  /** Returns the venue's current price for the net input, which is the amount less the fee and the network cost. */
  readonly reprice: (input: RepriceInput) => Effect.Effect<bigint, Venue.NoPrice | Venue.VenueUnavailable>
}

/** A wallet's fee, less the discount for the wallet's balance on the origin chain. */
const feeFor = Effect.fnUntracedEager(function* (
  { baseFeeBps, tiers, token }: Config.Fees,
  { origin, wallet }: PriceInput
) {
  const held = tiers.length === 0 ? undefined : origin.tokens.find(({ symbol }) => symbol === token)
  if (held === undefined || wallet === undefined) return { feeBps: baseFeeBps }
  // If the balance cannot be read, the quote gets no discount.
  const balance = yield* Effect.catchEager(origin.balanceOf(held.address, wallet), ({ message }) =>
    Effect.as(Effect.logWarning(`the balance for the discount cannot be read: ${message}`), 0n)
  )
  const earned = tierOf(tiers, balance, held.decimals)
  if (earned === undefined) return { feeBps: baseFeeBps }
  const { discountPercent, tier } = earned
  return { feeBps: discounted(baseFeeBps, discountPercent), feeDiscount: { tier, discountPercent, baseFeeBps } }
})

/** Refuses an amount that does not cover the costs, and suggests a minimum amount. */
const tooSmall = Effect.fnUntraced(function* (
  venue: Venue.Venue,
  { amount, inputToken, outputToken }: PriceInput,
  feeBps: number,
  networkCost: bigint
) {
  // The suggested minimum is enough for the smallest unit of the output token, with a margin for changing gas prices.
  const { output } = yield* Effect.orElseSucceed(venue.price(outputToken, inputToken, 1n), () => ({ output: 0n }))
  const enough = grossOf(networkCost + networkCost / 10n + (output + 1n) * 2n, feeBps)
  const minimum = enough > amount ? enough : amount * 2n
  return yield* refuse(
    "NEEDS_LARGER_SIZE",
    `The amount does not cover the network cost and the fee. Swap at least ` +
      `${Amount.format(minimum, inputToken.decimals)} ${inputToken.symbol}.`,
    { details: { minimum: `${minimum}` } }
  )
})

/** The minimum output after slippage, which is at least 1. */
const minOutputOf = (output: bigint, slippageBps: number): bigint => {
  const least = (output * BigInt(10_000 - slippageBps)) / 10_000n
  return least === 0n ? 1n : least
}

/** Creates the `Pricing` service from a venue and the configuration. */
export const fromVenue = (
  { chains, fees, quotes }: Pick<Config.Config, "chains" | "fees" | "quotes">,
  venue: Venue.Venue
): Pricing => ({
  price: withSpanIfTraced(
    "Pricing.price",
    Effect.fnUntracedEager(function* (input: PriceInput) {
      const { amount, deliveryGas, destination, inputToken, opensAccount, origin, outputToken, recipient, wallet } =
        input
      const { slippageBps = quotes.defaultSlippageBps } = input
      const costOf = (chain: Chain, query: CostQuery) => costIn(venue, chains, chain, query, inputToken)
      const [collect, deliver, { feeBps, ...discount }] = yield* together([
        costOf(origin, {
          kind: "collect",
          token: inputToken.address,
          ...(wallet !== undefined && { party: wallet }),
          opensAccount: false
        }),
        costOf(destination, {
          kind: "deliver",
          token: outputToken.address,
          ...(recipient !== undefined && { party: recipient }),
          opensAccount,
          ...(deliveryGas !== undefined && { gas: deliveryGas })
        }),
        feeFor(fees, input)
      ])
      const networkCost = collect + deliver
      const net = netOf(amount, feeBps, networkCost)
      if (net <= 0n) return yield* tooSmall(venue, input, feeBps, networkCost)
      const price = yield* venue.price(inputToken, outputToken, net)
      const { output } = price
      if (output === 0n) return yield* tooSmall(venue, input, feeBps, networkCost)
      if (output > Amount.max(destination.family)) {
        return yield* refuse(
          "NO_ROUTE",
          `The output exceeds the largest amount of ${outputToken.symbol} that ${destination.name} can represent. Swap a smaller amount.`
        )
      }
      return {
        output,
        minOutput: minOutputOf(output, slippageBps),
        feeBps,
        networkCost,
        ...discount,
        ...usdValues(price, { amount, net, highPriceImpactBps: quotes.highPriceImpactBps })
      }
    })
  ),

  reprice: withSpanIfTraced(
    "Pricing.reprice",
    ({ amount, feeBps, inputToken, networkCost, outputToken }: RepriceInput) => {
      const net = netOf(amount, feeBps, networkCost)
      if (net <= 0n) return Effect.succeed(0n)
      return Effect.mapEager(venue.price(inputToken, outputToken, net), ({ output }) => output)
    }
  )
})
