/** Handles `geoswap quote`: shows the current price of a swap. No key is required. */
import { Client, Quote, SwapEvent } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../output/Exit.js"
import { addressProblem } from "../chains/addressProblem.js"
import type { QuoteArgs } from "./swapFlags.js"
import { walletAddress } from "../keys/walletAddress.js"
import * as Output from "../output/Output.js"
import * as Session from "../service/Session.js"
import * as SwapRequest from "../swap/SwapRequest.js"
import * as Terms from "../swap/terms.js"

const showQuote = Effect.fnUntraced(function* (args: QuoteArgs) {
  const output = yield* Output.Output
  const order = yield* SwapRequest.resolve(args)
  const { destination, origin } = order
  const { kind, name } = origin.chain
  const named = Option.getOrUndefined(args.walletAddress)
  const problem = named === undefined ? undefined : addressProblem(kind, named)
  if (problem !== undefined) {
    return yield* new UsageError({
      message: `--wallet-address is not an address on ${name}: ${problem.what}`,
      next: problem.next
    })
  }
  const request = yield* Quote.request(yield* SwapRequest.toInput(order, named ?? (yield* walletAddress(kind))))
  const quote = SwapEvent.previewOf(yield* Client.quote(request))
  const terms: Terms.Terms = { origin, destination, request, quote, signs: false }
  yield* output.result({ quote: Terms.toJson(terms) }, (style) =>
    [Terms.format(terms, style), style.dim(`The price is valid until ${quote.expiresAt.toISOString()}.`)].join("\n")
  )
})

/** Shows the current price of a swap. */
export const run = (args: QuoteArgs) => Effect.provide(showQuote(args), Session.reads)
