/**
 * `POST /swap/quote` with `indicative: true`: prices a swap without a token. Needs no wallet, reserves nothing and
 * stores nothing except the price, in a cache.
 */
import { Quote } from "@geoswap/core"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { methodsOf } from "../admission/paymentMethods.js"
import type { Directory } from "../chains/Directory.js"
import { together } from "../concurrency/together.js"
import { addressKey } from "../domain/addressKey.js"
import type { OrderIds } from "../operations/orderIds.js"
import * as PriceCache from "../pricing/priceCache.js"
import { checkCapacity, priceSwap } from "../pricing/priceSwap.js"
import { checkParties, type Parties, type ResolvedSwap, resolveSwap } from "../pricing/resolveSwap.js"
import { call, type Failure } from "./call.js"
import type { Dependencies } from "./Dependencies.js"

/** The recipient defaults to the wallet, if the wallet has an address on the destination chain. */
const partiesOf = (
  { destination, origin }: ResolvedSwap,
  { recipient, walletAddress: wallet }: Quote.IndicativeQuoteRequest
): Parties => ({ wallet, recipient: recipient ?? (origin.family === destination.family ? wallet : undefined) })

/**
 * The cache key: everything that the price depends on, and the latest block of each chain. The amount is exact, because
 * the price per unit is different for every amount: the network cost is a fixed amount, and venues price larger amounts
 * lower. Addresses are not empty and contain no spaces, so each key is unique.
 */
const keyOf = (
  { amount, destination, inputToken, origin, outputToken, slippageBps }: ResolvedSwap,
  { recipient = "", wallet = "" }: Parties,
  heights: readonly [bigint, bigint]
): string =>
  [
    origin.id,
    inputToken.address,
    destination.id,
    outputToken.address,
    amount,
    slippageBps ?? "",
    addressKey(wallet),
    addressKey(recipient),
    ...heights
  ].join(" ")

/**
 * Creates the call. `cached` is the directory with cached reads, which quotes use too. The call does not have access to
 * the sealer, and reads only reverted collections from the store.
 */
export const indicativeQuote = (
  { directory, paymentMethods, pricing }: Pick<Dependencies, "directory" | "paymentMethods" | "pricing">,
  cached: Directory,
  orderIds: OrderIds,
  clock: Clock.Clock
) => {
  const prices = PriceCache.make<Quote.IndicativeQuoteResponse, Failure>(clock)

  /** Computes a price exactly as a quote does, without the check of the wallet's balance. */
  const compute = Effect.fnUntraced(function* (resolved: ResolvedSwap, parties: Parties) {
    const [{ capacity, priced, swap }, methods] = yield* together([
      priceSwap(pricing, resolved, parties, orderIds.sample(resolved.destination.id)),
      methodsOf(paymentMethods, undefined, resolved, parties)
    ])
    yield* checkCapacity(directory, swap, priced.output, capacity)
    return { indicative: true as const, ...priced, origin: resolved.origin.family, ...methods }
  })

  return call(
    "Service.indicativeQuote",
    Effect.fnUntraced(function* (input: Quote.IndicativeQuoteRequest) {
      const resolved = yield* resolveSwap(cached, input, Quote.indicativeRequest)
      const { destination, origin } = resolved
      const parties = partiesOf(resolved, input)
      yield* checkParties(resolved, parties)
      const heights = yield* together([origin.height, destination.height])
      return yield* prices(keyOf(resolved, parties, heights), compute(resolved, parties))
    })
  )
}
