/** `geoswap quote`: what a swap would give now. No key is needed. */
import { Client, Quote, SwapEvent } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../Exit.js"
import { addressProblem } from "../internal/addresses.js"
import type { GivenQuote } from "../internal/swap/params.js"
import { walletOf } from "../internal/swap/wallet.js"
import * as Output from "../Output.js"
import * as Session from "../Session.js"
import * as SwapRequest from "../SwapRequest.js"
import * as Terms from "../views/terms.js"

const tell = Effect.fnUntraced(function* (given: GivenQuote) {
  const output = yield* Output.Output
  const order = yield* SwapRequest.resolve(given)
  const { destination, origin } = order
  const { kind, name } = origin.chain
  const named = Option.getOrUndefined(given.walletAddress)
  const problem = named === undefined ? undefined : addressProblem(kind, named)
  if (problem !== undefined) {
    return yield* new UsageError({
      message: `--wallet-address is no address on ${name}: ${problem.what}`,
      next: problem.next
    })
  }
  const request = yield* Quote.request(yield* SwapRequest.inputOf(order, named ?? (yield* walletOf(kind))))
  const quote = SwapEvent.previewOf(yield* Client.quote(request))
  const terms: Terms.Terms = { origin, destination, request, quote, signs: false }
  yield* output.answer({ quote: Terms.json(terms) }, (style) =>
    [Terms.words(terms, style), style.dim(`The price holds until ${quote.expiresAt.toISOString()}.`)].join("\n")
  )
})

/** Tells a price. */
export const run = (given: GivenQuote) => Effect.provide(tell(given), Session.reads)
