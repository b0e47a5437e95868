/** Turns the rules of a policy into core's policy, which is applied before every signature. */
import { Amount, Chain, Operation, Policy, type Quote, type Store, SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { networkOf } from "../chains/networkOf.js"
import { formatDecimal } from "../output/numbers.js"
import * as Approvals from "./Approvals.js"
import { type AgentRules, noteRevision } from "./PolicyFile.js"
import { demandOf, pairsOf } from "./prices.js"
import * as Spending from "./spending.js"
import { addressKey, familyOf, pinnedAt, tokensOf } from "./tokens.js"

/** The code of the errors about the agent's policy, in contrast to the policy in the configuration. */
const agentCode = "AGENT_POLICY"

/** Marks an error as one about the agent's policy. */
const marked = <E extends { readonly _tag: string }>(error: E) =>
  SwapError.isSwapError(error) && error._tag === "PolicyViolation"
    ? new SwapError.PolicyViolation({ ...error, message: error.message, code: agentCode })
    : error

/** Returns the exact terms of a quote, in the form that an approval is bound to. */
const termsOf = (
  { deployments, service }: AgentRules,
  request: Quote.QuoteRequest,
  quote: Pick<Quote.Quote, "feeBps" | "minOutput">
): Approvals.Terms => {
  const deployment = deployments[String(request.originChain)]
  return {
    wallet: addressKey(request.walletAddress),
    service,
    originChain: request.originChain,
    destinationChain: request.destinationChain,
    inputToken: addressKey(request.inputToken),
    outputToken: addressKey(request.outputToken),
    amount: String(request.amount),
    recipient: addressKey(request.recipient ?? request.walletAddress),
    minOutput: String(quote.minOutput ?? 0n),
    feeBps: quote.feeBps,
    delegates: (deployment?.delegates ?? []).map(addressKey),
    vault: addressKey(deployment?.vault ?? "")
  }
}

/**
 * Returns why a person has to approve a request on its own, or `undefined`. Fails if the minimum is below the policy's own
 * price.
 */
const reasonToAsk = Effect.fnUntraced(function* (rules: AgentRules, request: Quote.QuoteRequest, minimum: bigint) {
  const tokens = tokensOf(request)
  const [input, output] = [pinnedAt(rules, tokens.input), pinnedAt(rules, tokens.output)]
  if (input === undefined || output === undefined) {
    return yield* Policy.violation("allowedTokens", "only pinned tokens", "another token")
  }
  const { least, problem } = yield* demandOf(rules, request, [input, output])
  if (minimum < least) {
    const limit = { amount: least, found: minimum }
    return yield* Policy.violation("minOutput", `at least ${least}`, `${minimum}`, undefined, limit)
  }
  const exceeded = Spending.thresholdsFor(rules, request).find(
    ({ amount, window }) => window === undefined && request.amount > BigInt(amount)
  )
  if (exceeded) {
    return `The amount is above ${formatDecimal(Amount.format(BigInt(exceeded.amount), input.decimals))} ${input.symbol}.`
  }
  if (pairsOf(rules, request).length === 0) return "The policy has no price for this pair."
  return problem && `The policy's price cannot be used: ${problem}.`
})

/**
 * Returns core's policy for the rules. `limits` can only narrow them. `store` must be the policy's store.
 */
export const enforce = Effect.fnUntraced(function* (
  rules: AgentRules,
  store: Store.Store,
  limits: Policy.Options = {}
) {
  const families = familyOf(rules, yield* Chain.Families)
  const make = (options: Policy.Options) =>
    Effect.provideService(
      Policy.make({
        ...options,
        verification: "required",
        afterRefusal: "resume",
        network: networkOf(rules.deployments)
      }),
      Chain.Families,
      families
    )
  const budgets = rules.budgets.map((budget) => ({ ...budget, amount: BigInt(budget.amount) }))
  const seconds = rules.approvalSeconds
  /** The latest reservation of this program's swap. It is not counted twice when the swap is quoted again. */
  let latestReservation: string | undefined
  /** Lets a swap pass that a person approved, or that is counted among those without an approval. */
  const approve = Effect.fnUntraced(function* ({ quote, request, reservation }: Policy.Terms) {
    const terms = termsOf(rules, request, quote)
    const alone = yield* reasonToAsk(rules, request, BigInt(terms.minOutput))
    if (yield* Approvals.take(store, terms, reservation)) return true
    const reason = alone ?? (yield* Spending.countUnapproved(store, rules, request, reservation))
    return reason === undefined ? true : yield* Approvals.ask(store, { terms, reason, seconds })
  })
  const own = yield* make({
    allowedChains: rules.chains,
    allowedTokens: rules.tokens.map(({ address, chainId }) => ({ chainId, token: address })),
    allowedRecipients: rules.recipients,
    budgets,
    maxSlippageBps: rules.maxSlippageBps,
    maxFeeBps: rules.maxFeeBps,
    maxTotalCostBps: rules.maxTotalCostBps,
    maxSwapsPerHour: rules.maxSwapsPerHour,
    approve: (terms) =>
      // A price that has become too low since the quote was checked refuses the signature.
      Effect.catchTag(approve(terms), "PolicyViolation", () => Effect.succeed(false))
  })
  const { approve: _, maxSwapsPerHour: __, ...narrower } = limits
  const narrow = yield* make(narrower)
  const remaining = (request: Quote.QuoteRequest) =>
    Effect.mapError(Spending.checkRemaining(rules, store, request, [...budgets, ...(limits.budgets ?? [])]), marked)
  const checkRequest: Policy.Policy["checkRequest"] = (request) =>
    Effect.andThen(Effect.mapError(own.checkRequest(request), marked), narrow.checkRequest(request))
  /** Returns why a person has to approve a request with this minimum output, or `undefined`. */
  const reasonFor = Effect.fnUntraced(function* (request: Quote.QuoteRequest, minimum: bigint) {
    const reason = yield* Effect.mapError(reasonToAsk(rules, request, minimum), marked)
    return reason ?? (yield* Spending.exceeded(store, rules, request, latestReservation))
  })
  /** Checks a quote, and returns the approval that the swap needs and does not have. */
  const missingApproval = Effect.fnUntraced(function* (request: Quote.QuoteRequest, quote: Quote.Quote) {
    yield* Effect.mapError(own.checkQuote(request, quote), marked)
    yield* narrow.checkQuote(request, quote)
    const terms = termsOf(rules, request, quote)
    const reason = yield* reasonFor(request, BigInt(terms.minOutput))
    return reason === undefined || (yield* Approvals.isExpected(store, terms)) ? undefined : { terms, reason, seconds }
  })
  /** Asks for an approval before anything is built. A person is not asked to approve what exceeds the budget anyway. */
  const requestApproval = Effect.fnUntraced(function* (request: Quote.QuoteRequest, quote: Quote.Quote) {
    const needed = yield* missingApproval(request, quote)
    if (needed === undefined) return
    yield* remaining(request)
    const id = yield* Approvals.ask(store, needed)
    return yield* marked(
      Policy.violation("approve", "only approved swaps", `waiting for approval ${id}`, needed.reason, undefined, id)
    )
  })
  const policy: Policy.Policy = {
    ...own,
    maxLifetimeSeconds: Math.min(
      rules.maxLifetimeSeconds ?? Operation.maxLifetimeSeconds,
      narrow.maxLifetimeSeconds ?? Infinity
    ),
    paymentMethods: narrow.paymentMethods,
    // Delegations have no request. They are allowed on the chains of the policy only.
    deploymentOf: (chainId) => (rules.chains.includes(chainId) ? own.deploymentOf(chainId) : undefined),
    checkRequest,
    checkQuote: (request, quote) =>
      // A store that fails here fails again before the signature, with its own error.
      Effect.catchTag(requestApproval(request, quote), "StoreError", () => Effect.void),
    reservations: (request) => [
      ...narrow.reservations(request),
      ...own.reservations(request).map((amount) => ({ ...amount, code: agentCode }))
    ],
    approve: Effect.fnUntraced(function* (terms) {
      // A person may have changed the policy since this swap was started.
      const latest = yield* noteRevision(store, rules.revision)
      if (latest > rules.revision) {
        const found = `revision ${rules.revision}`
        return yield* marked(Policy.violation("policy", `only revision ${latest}`, found, "Start again."))
      }
      latestReservation = terms.reservation
      yield* Effect.mapError(own.approve(terms), marked)
    })
  }
  return {
    policy,
    /**
     * Checks a request, its quote if there is one, and what is left of the budgets. Returns why a person still has to
     * approve the swap, or `undefined`. Reserves nothing and asks for no approval.
     */
    review: Effect.fnUntraced(function* (request: Quote.QuoteRequest, quote?: Quote.Quote) {
      yield* checkRequest(request)
      yield* remaining(request)
      // Before there is a quote, its minimum is assumed to be good enough.
      if (quote === undefined) return yield* reasonFor(request, 2n ** 256n)
      return (yield* missingApproval(request, quote))?.reason
    })
  }
})
