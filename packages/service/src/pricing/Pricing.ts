/** What a swap gives: the venue's price of what is left of the input after network cost and fee. */
import { Amount, type Quote } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { Chain } from "../chains/Chains.js"
import type * as Config from "../config/Config.js"
import { usdValues } from "./usdValues.js"
import { discounted, grossOf, netOf, tierOf } from "./fees.js"
import { costIn } from "./networkCost.js"
import { venueRefusal } from "./venueRefusal.js"
import { refuse, type Refusal } from "../Refusal.js"
import * as Venue from "../venue/Venue.js"

/** A swap to be priced. */
export interface PriceInput {
  readonly origin: Chain
  readonly destination: Chain
  readonly inputToken: Venue.Asset
  readonly outputToken: Venue.Asset
  readonly amount: bigint
  readonly wallet: string
  readonly recipient: string
  /** The network cost includes a token account of the recipient on Solana. */
  readonly opensAccount: boolean
  /** The gas of the delivery on an EVM chain, if it is known already. */
  readonly deliveryGas?: bigint
  /** The configured one where absent. */
  readonly slippageBps?: number
}

/** A quote without what seals it. */
export interface PricedQuote {
  readonly output: bigint
  readonly minOutput: bigint
  readonly feeBps: number
  /** In the input token. */
  readonly networkCost: bigint
  readonly feeDiscount?: Quote.FeeDiscount
  readonly inputUsd?: string
  readonly outputUsd?: string
  readonly priceImpactBps?: number
  readonly warnings: ReadonlyArray<Quote.Warning>
}

/** A swap that was priced before, by what was agreed then. */
export interface RepriceInput {
  readonly inputToken: Venue.Asset
  readonly outputToken: Venue.Asset
  readonly amount: bigint
  readonly feeBps: number
  readonly networkCost: bigint
}

export interface Pricing {
  /** Prices a swap. */
  readonly price: (input: PriceInput) => Effect.Effect<PricedQuote, Refusal>
  /** What the venue gives now for the same net input. */
  readonly reprice: (input: RepriceInput) => Effect.Effect<bigint, Venue.NoPrice | Venue.VenueUnavailable>
}

/** The fee of a wallet, with the discount that its balance on the origin earns. */
const feeFor = Effect.fnUntraced(function* ({ baseFeeBps, tiers, token }: Config.Fees, { origin, wallet }: PriceInput) {
  const held = tiers.length === 0 ? undefined : origin.tokens.find(({ symbol }) => symbol === token)
  if (held === undefined) return { feeBps: baseFeeBps }
  // A node that does not tell the balance costs the discount, not the quote.
  const balance = yield* origin
    .balanceOf(held.address, wallet)
    .pipe(Effect.catch(({ message }) => Effect.as(Effect.logWarning(`no discount is looked up: ${message}`), 0n)))
  const earned = tierOf(tiers, balance, held.decimals)
  if (earned === undefined) return { feeBps: baseFeeBps }
  const { discountPercent, tier } = earned
  return { feeBps: discounted(baseFeeBps, discountPercent), feeDiscount: { tier, discountPercent, baseFeeBps } }
})

/** The refusal of an amount of which nothing is left, with one that is worth trying. */
const tooSmall = Effect.fnUntraced(function* (
  venue: Venue.Shape,
  { amount, inputToken, outputToken }: PriceInput,
  feeBps: number,
  networkCost: bigint
): Effect.fn.Return<never, Refusal> {
  // Enough for one smallest unit of the output, and some room for gas that moves.
  const { output } = yield* Effect.orElseSucceed(venue.price(outputToken, inputToken, 1n), () => ({ output: 0n }))
  const enough = grossOf(networkCost + networkCost / 10n + (output + 1n) * 2n, feeBps)
  const minimum = enough > amount ? enough : amount * 2n
  return yield* refuse(
    "NEEDS_LARGER_SIZE",
    `The amount does not cover the network cost and the fee: swap at least ` +
      `${Amount.format(minimum, inputToken.decimals)} ${inputToken.symbol}.`,
    { details: { minimum: `${minimum}` } }
  )
})

const isSlippage = (bps: number): boolean => Number.isInteger(bps) && bps >= 0 && bps <= 10_000

/** What is left of an output after slippage; never nothing. */
const minOutputOf = (output: bigint, slippageBps: number): bigint => {
  const least = (output * BigInt(10_000 - slippageBps)) / 10_000n
  return least === 0n ? 1n : least
}

/** Pricing by a venue and the configuration. */
export const fromVenue = (
  { chains, fees, quotes }: Pick<Config.Config, "chains" | "fees" | "quotes">,
  venue: Venue.Shape
): Pricing => ({
  price: Effect.fn("Pricing.price")(function* (input) {
    const { amount, deliveryGas, destination, inputToken, opensAccount, origin, outputToken, recipient, wallet } = input
    const { slippageBps = quotes.defaultSlippageBps } = input
    if (!isSlippage(slippageBps)) {
      return yield* refuse("VALIDATION", "slippageBps: should be a whole number from 0 to 10000.")
    }
    const [collect, deliver, { feeBps, ...discount }] = yield* Effect.all(
      [
        costIn(
          venue,
          chains,
          origin,
          { kind: "collect", token: inputToken.address, party: wallet, opensAccount: false },
          inputToken
        ),
        costIn(
          venue,
          chains,
          destination,
          {
            kind: "deliver",
            token: outputToken.address,
            party: recipient,
            opensAccount,
            ...(deliveryGas !== undefined && { gas: deliveryGas })
          },
          inputToken
        ),
        feeFor(fees, input)
      ],
      { concurrency: "unbounded" }
    )
    const networkCost = collect + deliver
    const net = netOf(amount, feeBps, networkCost)
    if (net <= 0n) return yield* tooSmall(venue, input, feeBps, networkCost)
    const price = yield* Effect.catch(venue.price(inputToken, outputToken, net), venueRefusal)
    const { output } = price
    if (output === 0n) return yield* tooSmall(venue, input, feeBps, networkCost)
    if (output > Amount.max(destination.family)) {
      return yield* refuse("NO_ROUTE", `${destination.name} cannot hold that much ${outputToken.symbol}: swap less.`)
    }
    return {
      output,
      minOutput: minOutputOf(output, slippageBps),
      feeBps,
      networkCost,
      ...discount,
      ...usdValues(price, { amount, net, highPriceImpactBps: quotes.highPriceImpactBps })
    }
  }),

  reprice: Effect.fn("Pricing.reprice")(function* ({ amount, feeBps, inputToken, networkCost, outputToken }) {
    const net = netOf(amount, feeBps, networkCost)
    return net <= 0n ? 0n : (yield* venue.price(inputToken, outputToken, net)).output
  })
})

/** Pricing by the venue that is provided. */
export const make = (
  config: Pick<Config.Config, "chains" | "fees" | "quotes">
): Effect.Effect<Pricing, never, Venue.Venue> => Effect.map(Venue.Venue, (venue) => fromVenue(config, venue))
