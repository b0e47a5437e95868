/** `geoswap quote`: what a swap would give now. No key is needed. */
import { Client, Quote, SwapEvent } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../output/Exit.js"
import { addressProblem } from "../chains/addressProblem.js"
import type { GivenQuote } from "./swapFlags.js"
import { walletOf } from "../keys/walletAddress.js"
import * as Output from "../output/Output.js"
import * as Session from "../service/Session.js"
import * as SwapRequest from "../swap/SwapRequest.js"
import * as Terms from "../swap/terms.js"

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
