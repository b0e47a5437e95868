/** A dry run: gets a quote, checks the policy and the delegation, and shows what would be signed. Signs nothing. */
import { Client, Operation, Policy, Quote, SwapEvent } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as AgentPolicy from "../../agent/AgentPolicy.js"
import { findPolicy } from "../../agent/signingSession.js"
import * as Output from "../../output/Output.js"
import * as Session from "../../service/Session.js"
import * as SwapRequest from "../../swap/SwapRequest.js"
import { formatTerms } from "../../swap/formatTerms.js"
import { termsToJson } from "../../swap/termsToJson.js"
import * as Terms from "../../swap/terms.js"
import { paymentTerms, unpayable } from "../../swap/payment.js"
import { readDelegationTerms } from "../../chains/delegation.js"
import { withAmountsInTokens } from "../../swap/amountsInErrors.js"
import { exceedsAcceptedSlippage } from "./consent.js"
import * as StateFiles from "../../swap/stateFiles.js"
import type { RuleArgs, SwapArgs } from "../../flags/swapFlags.js"
import { walletAddress } from "../../keys/Keys.js"

/** Runs every check that is made before a swap is signed, and returns the terms. */
const checkTerms = Effect.fnUntraced(function* (order: SwapRequest.Order, rules: RuleArgs) {
  const { chain } = order.origin
  const wallet = yield* walletAddress(chain.family)
  const request = yield* Quote.request(yield* SwapRequest.toInput(order, wallet))
  const limits = yield* SwapRequest.strictestRules(yield* Session.policyOf, rules, order)
  const agent = yield* findPolicy(chain.family, wallet)
  const reviewed = agent && (yield* AgentPolicy.review(yield* agent.verified, limits))
  const policy = reviewed?.policy ?? (yield* Policy.make(limits))
  const strict = policy.verification === "required"
  yield* policy.checkRequest(request)
  if (strict && policy.deploymentOf(chain.id) === undefined) {
    return yield* Policy.violation("network", "only chains with pinned contracts", `${chain.id}`)
  }
  // With a policy for agents, the review checks the budgets.
  if (reviewed === undefined) yield* Effect.provideService(Client.checkBudgets(request), Policy.Policy, policy)
  const delegation = chain.family === "evm" ? yield* readDelegationTerms(chain, wallet) : undefined
  const quote = yield* Client.quote(request)
  const payment = paymentTerms(chain.family, { quote, request }, policy)
  if (payment !== undefined && payment.method === undefined) {
    return yield* unpayable(quote, payment, policy.paymentMethods)
  }
  if (payment?.method === "delegation" && delegation?.needed === true && delegation.pinned !== true) {
    return yield* Operation.unsafe("delegate", "a pinned delegate", delegation.contract ?? "absent")
  }
  if (strict && quote.minOutput === undefined) {
    return yield* Operation.unsafe("minOutput", "stated in the quote", "absent")
  }
  const approval =
    reviewed === undefined
      ? yield* Effect.as(policy.checkQuote(request, quote), undefined)
      : yield* reviewed.review(request, quote)
  const terms: Terms.Terms = {
    ...(yield* Terms.partiesOf(order, wallet)),
    request,
    quote: SwapEvent.previewOf(quote),
    signs: true,
    maxLifetimeSeconds: policy.maxLifetimeSeconds,
    delegation,
    payment
  }
  return { terms, approval }
}, Effect.provide(StateFiles.layer))

/** Shows what would be signed. */
export const dryRun = Effect.fnUntraced(function* (order: SwapRequest.Order, args: SwapArgs) {
  const { approval, terms } = yield* Effect.mapError(checkTerms(order, args), withAmountsInTokens(order))
  const signs = Terms.signatures(terms)
  const { delegation } = terms
  yield* Output.result({ dryRun: true, quote: termsToJson(terms), delegation, signs, approval }, (style) =>
    [
      formatTerms(terms, style),
      "",
      "This would be signed:",
      ...signs.map((sentence) => `  - ${sentence}`),
      ...(exceedsAcceptedSlippage(terms, args.acceptSlippage)
        ? [
            `${Terms.riskMessage(terms)} Accept the slippage with --accept-slippage ${Terms.slippageOf(terms).bps / 100}, or by typing "yes".`
          ]
        : []),
      ...(Quote.isHighCost(terms.quote)
        ? ['The total cost is high. Accept it with --accept-cost, or by typing "yes".']
        : []),
      ...(approval === undefined ? [] : [`A person would have to approve this swap first. ${approval}`]),
      "Nothing was signed."
    ].join("\n")
  )
})
