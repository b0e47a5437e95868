/** A swap without its signature: the price, the policy's word, the delegation, and what would be signed. */
import { Client, Operation, Policy, Quote, SwapEvent } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Output from "../output/Output.js"
import * as Session from "../service/Session.js"
import * as SwapRequest from "./SwapRequest.js"
import * as Terms from "./terms.js"
import { delegatedOn } from "./delegated.js"
import { isTooLoose } from "./consent.js"
import type { GivenRules, GivenSwap } from "../commands/swapFlags.js"
import { walletOf } from "../keys/walletAddress.js"

/** Judges all that can be judged before signing, as a swap would. */
const judge = Effect.fnUntraced(function* (order: SwapRequest.Order, given: GivenRules) {
  const { chain } = order.origin
  const wallet = yield* walletOf(chain.kind)
  const request = yield* Quote.request(yield* SwapRequest.inputOf(order, wallet))
  const policy = yield* Policy.make(yield* SwapRequest.stricter(yield* Session.policyOf, given, order))
  const careful = policy.verification === "required"
  yield* policy.checkRequest(request)
  if (careful && policy.deploymentOf(chain.id) === undefined) {
    return yield* Policy.violation("deployments", "only chains whose contracts it pins", `${chain.id}`)
  }
  // Asked whether the budget would last, and given back: nothing is signed.
  yield* yield* policy.reserve(request, `dry-run-${yield* Clock.currentTimeMillis}`)
  const delegation = chain.kind === "evm" ? yield* delegatedOn(chain, wallet) : undefined
  if (delegation?.needed === true && delegation.pinned !== true) {
    return yield* Operation.unsafe("delegate", "a pinned delegate", delegation.contract ?? "absent")
  }
  const offered = yield* Client.quote(request)
  if (careful && offered.minOutput === undefined) {
    return yield* Operation.unsafe("minOutput", "named in the quote", "absent")
  }
  yield* policy.checkQuote(request, offered)
  const { destination, origin } = order
  const terms: Terms.Terms = {
    origin,
    destination,
    request,
    quote: SwapEvent.previewOf(offered),
    signs: true,
    maxLifetimeSeconds: policy.maxLifetimeSeconds,
    delegation
  }
  return terms
})

/** Shows what would be signed. */
export const dryRun = Effect.fnUntraced(function* (order: SwapRequest.Order, given: GivenSwap) {
  const output = yield* Output.Output
  const terms = yield* judge(order, given)
  const signs = Terms.signatures(terms)
  const { delegation } = terms
  yield* output.answer({ dryRun: true, quote: Terms.json(terms), delegation, signs }, (style) =>
    [
      Terms.words(terms, style),
      "",
      "This would be signed:",
      ...signs.map((sentence) => `  - ${sentence}`),
      ...(isTooLoose(terms, Option.getOrUndefined(given.acceptSlippage))
        ? [`${Terms.riskWords(terms)} It needs --accept-slippage ${Terms.slippageOf(terms).bps / 100}, or a typed yes.`]
        : []),
      ...(Terms.isHighImpact(terms.quote)
        ? ["The price impact is high: it needs --accept-impact, or a typed yes."]
        : []),
      "Nothing was signed."
    ].join("\n")
  )
})
