/** Handles `geoswap policy check`: says whether the policy allows a swap, before there is a quote. */
import { Quote } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as AgentPolicy from "../../agent/AgentPolicy.js"
import type { RequestArgs } from "../../flags/swapFlags.js"
import { walletAddress } from "../../keys/Keys.js"
import { codes, end } from "../../output/Exit.js"
import * as Output from "../../output/Output.js"
import * as Session from "../../service/Session.js"
import { withAmountsInTokens } from "../../swap/amountsInErrors.js"
import * as SwapRequest from "../../swap/SwapRequest.js"

/** Says whether the policy allows a swap. */
export const run = Effect.fnUntraced(function* (args: RequestArgs) {
  const order = yield* SwapRequest.resolve(args)
  const { family } = order.origin.chain
  const request = yield* Quote.request(yield* SwapRequest.toInput(order, yield* walletAddress(family)))
  const wallet = yield* AgentPolicy.open(family)
  const { review } = yield* AgentPolicy.review(yield* wallet.verified)
  const result = yield* Effect.result(review(request))
  if (result._tag === "Success") {
    const approval = result.success
    return yield* Output.result({ allowed: true, approval }, ({ green, yellow }) =>
      approval === undefined
        ? green("The policy allows this swap, if the quote is good enough.")
        : yellow(`The policy allows this swap if a person approves it. ${approval}`)
    )
  }
  const { failure } = result
  if (failure._tag !== "PolicyViolation") return yield* failure
  const { message } = withAmountsInTokens(order)(failure)
  yield* Output.result({ allowed: false, rule: failure.rule, message }, ({ red }) => red(message))
  return yield* end(codes.refused)
}, Effect.provide(Session.offline))
