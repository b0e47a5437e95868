/**
 * Handles `geoswap quote`: shows the current price of a swap. No key is required. If there is no wallet either, the
 * price is indicative.
 */
import { Client, Quote, SwapEvent } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { usage } from "../output/Exit.js"
import { addressProblem } from "../chains/addressProblem.js"
import type { QuoteArgs } from "../flags/swapFlags.js"
import * as Keys from "../keys/Keys.js"
import { walletAddress } from "../keys/Keys.js"
import * as Output from "../output/Output.js"
import * as Session from "../service/Session.js"
import { withAmountsInTokens } from "../swap/amountsInErrors.js"
import * as History from "../swap/History.js"
import { paymentTerms } from "../swap/payment.js"
import * as SwapRequest from "../swap/SwapRequest.js"
import { formatTerms } from "../swap/formatTerms.js"
import { termsToJson } from "../swap/termsToJson.js"
import { type IndicativeTerms, partiesOf } from "../swap/terms.js"

/**
 * Returns the wallet that would pay, or `undefined` if no wallet is configured. Fails without a wallet if `--wallet`
 * belongs to the other chain family, or if `--max` needs the wallet's balance.
 */
const payingWallet = Effect.fnUntraced(function* (args: QuoteArgs, order: SwapRequest.Order) {
  const { family, name } = order.origin.chain
  const { walletAddress: named } = args
  if (named !== undefined) {
    const problem = addressProblem(family, named)
    return problem === undefined
      ? named
      : yield* usage(`--wallet-address is not an address on ${name}: ${problem.what}`, problem.next)
  }
  const isRequired = order.size.kind === "max" || (yield* Keys.isOtherFamily(family))
  return yield* isRequired ? walletAddress(family) : Keys.addressOf(family)
})

const showQuote = Effect.fnUntraced(function* (wanted: SwapRequest.Order, wallet: string) {
  const order = yield* SwapRequest.withRecipient(wanted)
  const request = yield* Quote.request(yield* SwapRequest.toInput(order, wallet))
  const quote = SwapEvent.previewOf(yield* Effect.mapError(Client.quote(request), withAmountsInTokens(order)))
  const parties = yield* partiesOf(order, wallet)
  const payment = paymentTerms(order.origin.chain.family, { quote, request })
  const terms = { ...parties, request, quote, signs: false, payment }
  const secondsLeft = Math.max(0, Math.floor((quote.expiresAt.getTime() - (yield* Clock.currentTimeMillis)) / 1000))
  yield* Output.result({ quote: termsToJson(terms) }, (style) =>
    [
      formatTerms(terms, style),
      style.dim(`The price is valid for ${secondsLeft} s, until ${quote.expiresAt.toISOString()}.`)
    ].join("\n")
  )
})

const showIndicativeQuote = Effect.fnUntraced(function* (order: SwapRequest.Order, isRequested: boolean) {
  const { destination, origin } = order
  const family = Keys.familyName[origin.chain.family]
  const request = yield* Quote.indicativeRequest(yield* SwapRequest.toIndicativeInput(order))
  const quote = yield* Client.indicativeQuote(request).pipe(
    Effect.mapError(withAmountsInTokens(order)),
    Effect.mapError((error) =>
      // A service that does not offer indicative quotes requires a wallet.
      error._tag === "Rejected" && error.status === 400
        ? Keys.keyError(
            isRequested
              ? "The service does not offer prices without a wallet."
              : `There is no wallet for ${family} chains, and the service does not offer prices without a wallet.`,
            "Pass --wallet-address <address>, or add a key with geoswap init."
          )
        : error
    )
  )
  const seconds = yield* History.expectedSeconds(origin.chain.id, destination.chain.id)
  const terms: IndicativeTerms = { origin, destination, request, quote, seconds }
  yield* Output.result({ quote: termsToJson(terms) }, (style) =>
    [
      formatTerms(terms, style),
      style.dim(
        isRequested
          ? "This price is indicative. A quote for a wallet may differ."
          : `This price is indicative, because there is no wallet for ${family} chains. A quote for a wallet may differ. Pass --wallet-address <address>, or add a key with geoswap init.`
      )
    ].join("\n")
  )
})

/** Shows the current price of a swap. */
export const run = (args: QuoteArgs) =>
  Effect.gen(function* () {
    const order = yield* SwapRequest.resolveOrder(args)
    if (args.indicative && (order.size.kind === "max" || args.walletAddress !== undefined)) {
      return yield* usage(
        "--indicative is a price without a wallet, so it excludes --max and --wallet-address.",
        "Pass an amount, or omit --indicative."
      )
    }
    const wallet = args.indicative ? undefined : yield* payingWallet(args, order)
    yield* wallet === undefined ? showIndicativeQuote(order, args.indicative) : showQuote(order, wallet)
  }).pipe(Effect.provide(Session.reads))
