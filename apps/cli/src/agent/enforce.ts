/** Turns the rules of a policy into core's policy, which is applied before every signature. */
import { Amount, Chain, Operation, Policy, type Quote, type Store, SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { networkOf } from "../chains/networkOf.js"
import { formatDecimal } from "../output/numbers.js"
import * as Approvals from "./Approvals.js"
import type { AgentRules } from "./PolicyFile.js"
import { feedMinimum, fixedMinimum, pairsOf, tokensOf } from "./prices.js"
import { checkRemaining } from "./remaining.js"
import { noteRevision } from "./revision.js"
import type { Terms } from "./Terms.js"
import { addressKey, familyOf } from "./tokens.js"
import * as Unapproved from "./Unapproved.js"

/** The code of the errors about the agent's policy, in contrast to the policy in the configuration. */
const agentCode = "AGENT_POLICY"

/** Marks an error as one about the agent's policy. */
const marked = <E extends { readonly _tag: string }>(error: E): E | SwapError.PolicyViolation =>
  SwapError.isSwapError(error) && error._tag === "PolicyViolation"
    ? new SwapError.PolicyViolation({ ...error, message: error.message, code: agentCode })
    : error

/** Returns the exact terms of a quote, in the form that an approval is bound to. */
const termsOf = (
  { deployments, service }: AgentRules,
  request: Quote.QuoteRequest,
  quote: Pick<Quote.Quote, "feeBps" | "minOutput">
): Terms => {
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

/** Core's rules for a policy, without approvals and price feeds. */
const optionsOf = (rules: AgentRules): Policy.Options => ({
  verification: "required",
  afterRefusal: "resume",
  network: networkOf(rules.deployments),
  allowedChains: rules.chains,
  allowedTokens: rules.tokens.map(({ address, chain }) => ({ chain, token: address })),
  allowedRecipients: rules.recipients,
  budgets: rules.budgets.map((budget) => ({ ...budget, amount: BigInt(budget.amount) })),
  maxSlippageBps: rules.maxSlippageBps,
  maxFeeBps: rules.maxFeeBps,
  maxTotalCostBps: rules.maxTotalCostBps,
  maxSwapsPerHour: rules.maxSwapsPerHour,
  minOutput: (request) => {
    const tokens = tokensOf(rules, request)
    return tokens && fixedMinimum(rules, request, tokens)
  }
})

/**
 * Returns why a person has to approve a request on its own, or `undefined`. Fails if the minimum is below the policy's own
 * price.
 */
const reasonToAsk = Effect.fnUntraced(function* (rules: AgentRules, request: Quote.QuoteRequest, minimum: bigint) {
  const tokens = tokensOf(rules, request)
  if (tokens === undefined) return yield* Policy.violation("allowedTokens", "only pinned tokens", "another token")
  const [input] = tokens
  const least = yield* feedMinimum(rules, request, tokens)
  if (typeof least === "bigint" && minimum < least) {
    return yield* Policy.violation("minOutput", `at least ${least}`, `${minimum}`)
  }
  const exceeded = Unapproved.thresholdsFor(rules, request).find(
    ({ amount, window }) => window === undefined && request.amount > BigInt(amount)
  )
  if (exceeded) {
    return `The amount is above ${formatDecimal(Amount.format(BigInt(exceeded.amount), input.decimals))} ${input.symbol}.`
  }
  if (pairsOf(rules, request).length === 0) return "The policy has no price for this pair."
  return typeof least === "string" ? `The policy's price cannot be used: ${least}.` : undefined
})

/** Core's policy for the rules of a wallet. */
export interface Review {
  readonly policy: Policy.Policy
  /**
   * Checks a quote and what is left of the budgets. Returns why a person still has to approve the swap, or `undefined`.
   * Reserves nothing and asks for no approval.
   */
  readonly review: (
    request: Quote.QuoteRequest,
    quote: Quote.Quote
  ) => Effect.Effect<string | undefined, SwapError.PolicyViolation | SwapError.StoreError>
}

/**
 * Returns core's policy for the rules. `limits` can only narrow them. `store` must be the policy's
 * store.
 */
export const enforce = Effect.fnUntraced(function* (
  rules: AgentRules,
  store: Store.Store,
  limits: Policy.Options = {}
): Effect.fn.Return<Review> {
  const families = familyOf(rules, yield* Chain.Families)
  const make = (options: Policy.Options) => Effect.provideService(Policy.make(options), Chain.Families, families)
  const seconds = rules.approvalSeconds
  /** The latest reservation of this program's swap. It is not counted twice when the swap is quoted again. */
  let latestReservation: string | undefined
  /** Lets a swap pass that a person approved, or that is counted among those without an approval. */
  const approve = Effect.fnUntraced(function* ({ quote, request, reservation }: Policy.Terms) {
    const terms = termsOf(rules, request, quote)
    const alone = yield* reasonToAsk(rules, request, BigInt(terms.minOutput))
    if (alone !== undefined) return yield* Approvals.use(store, { terms, reason: alone, seconds }, reservation)
    if (yield* Approvals.take(store, terms, reservation)) return true
    const reason = yield* Unapproved.count(store, rules, request, reservation)
    return reason === undefined ? true : yield* Approvals.use(store, { terms, reason, seconds }, reservation)
  })
  const own = yield* make({
    ...optionsOf(rules),
    approve: (terms) =>
      // A price that has become too low since the quote was checked refuses the signature.
      Effect.catchTag(approve(terms), "PolicyViolation", () => Effect.succeed(false))
  })
  const { approve: _, maxSwapsPerHour: __, ...narrower } = limits
  const narrow = yield* make({
    ...narrower,
    verification: "required",
    afterRefusal: "resume",
    network: networkOf(rules.deployments)
  })
  /** Checks a quote, and returns the approval that the swap needs and does not have. */
  const missingApproval = Effect.fnUntraced(function* (request: Quote.QuoteRequest, quote: Quote.Quote) {
    yield* Effect.mapError(own.checkQuote(request, quote), marked)
    yield* narrow.checkQuote(request, quote)
    const terms = termsOf(rules, request, quote)
    const reason =
      (yield* Effect.mapError(reasonToAsk(rules, request, BigInt(terms.minOutput)), marked)) ??
      (yield* Unapproved.exceeded(store, rules, request, latestReservation))
    return reason === undefined || (yield* Approvals.isExpected(store, terms)) ? undefined : { terms, reason, seconds }
  })
  const remaining = (request: Quote.QuoteRequest) =>
    Effect.mapError(checkRemaining(rules, store, request, limits.budgets), marked)
  // A store that fails here fails again before the signature, with its own error.
  const later = <A>(effect: Effect.Effect<A, SwapError.PolicyViolation | SwapError.StoreError>) =>
    Effect.catchTag(effect, "StoreError", () => Effect.succeed(undefined))
  const policy: Policy.Policy = {
    ...own,
    maxLifetimeSeconds: Math.min(
      rules.maxLifetimeSeconds ?? Operation.maxLifetimeSeconds,
      narrow.maxLifetimeSeconds ?? Infinity
    ),
    paymentMethods: narrow.paymentMethods,
    // Delegations have no request. They are allowed on the chains of the policy only.
    deploymentOf: (chainId) => (rules.chains.includes(chainId) ? own.deploymentOf(chainId) : undefined),
    checkRequest: (request) =>
      Effect.andThen(Effect.mapError(own.checkRequest(request), marked), narrow.checkRequest(request)),
    checkQuote: (request, quote) =>
      later(
        Effect.gen(function* () {
          const needed = yield* missingApproval(request, quote)
          if (needed === undefined) return
          // A person is not asked to approve what exceeds the budget anyway.
          yield* remaining(request)
          const answer = yield* Approvals.expect(store, needed)
          if (answer === true) return
          const found = `waiting for approval ${answer}`
          return yield* Effect.fail(
            marked(Policy.violation("approve", "only approved swaps", found, needed.reason, undefined, answer))
          )
        })
      ),
    reserve: Effect.fnUntraced(function* (request, id, use) {
      // A person may have changed the policy since this swap was started.
      const latest = yield* noteRevision(store, rules.revision)
      if (latest > rules.revision) {
        const found = `revision ${rules.revision}`
        return yield* Effect.fail(marked(Policy.violation("policy", `only revision ${latest}`, found, "Start again.")))
      }
      // Both reserve the same amount under the same id, so the policy's own release covers both.
      yield* narrow.reserve(request, id, use)
      latestReservation = id
      // A signature of an earlier process is sent again, although its reservations were released.
      if (use === undefined && !(yield* Approvals.isUsedBy(store, id))) yield* Unapproved.recount(store, request, id)
      const uncount = Effect.ignore(Unapproved.release(store, request, id))
      const reserving = Effect.mapError(own.reserve(request, id, use), marked)
      const release = yield* use?.isSpent === false ? Effect.onError(reserving, () => uncount) : reserving
      return Effect.andThen(release, uncount)
    }),
    keep: (request, id) => Effect.andThen(Unapproved.keep(store, request, id), own.keep(request, id))
  }
  return {
    policy,
    review: Effect.fnUntraced(function* (request, quote) {
      yield* policy.checkRequest(request)
      yield* remaining(request)
      return (yield* missingApproval(request, quote))?.reason
    })
  }
})

/** What a policy says about a request before there is a quote. */
export interface Judgement {
  readonly violation?: SwapError.PolicyViolation
  /** Why a person has to approve the swap. */
  readonly approval?: string
}

/** Checks a request against the rules and what is left of the budgets. Reserves nothing and asks for no approval. */
export const judge = Effect.fnUntraced(function* (
  rules: AgentRules,
  store: Store.Store,
  request: Quote.QuoteRequest
): Effect.fn.Return<Judgement, SwapError.StoreError> {
  const families = familyOf(rules, yield* Chain.Families)
  const checking = Effect.gen(function* () {
    const policy = yield* Policy.make(optionsOf(rules))
    yield* policy.checkRequest(request)
    yield* checkRemaining(rules, store, request)
    return (yield* reasonToAsk(rules, request, 2n ** 256n)) ?? (yield* Unapproved.exceeded(store, rules, request))
  }).pipe(Effect.provideService(Chain.Families, families))
  const result = yield* Effect.result(checking)
  if (result._tag === "Success") {
    return result.success === undefined ? {} : { approval: result.success }
  }
  const { failure } = result
  return failure._tag === "PolicyViolation" ? { violation: failure } : yield* Effect.fail(failure)
})
