/** The rules for what may be signed: limits on quotes, allowlists, budgets and pinned contracts. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Chain from "./Chain.js"
import * as Network from "./Network.js"
import type { LimitedAmount } from "./programs/budget.js"
import type { Window } from "./store/spending.js"
import type { Deployment } from "./Operation.js"
import type { Method } from "./Payment.js"
import { defaultSlippageBps, highCostWarning, minOutputOf, type Quote, type QuoteRequest } from "./Quote.js"
import { type StoreError, PolicyViolation } from "./SwapError.js"
import type { QuotePreview } from "./SwapEvent.js"

/** A token on a chain. */
export interface TokenRef {
  readonly chainId: number
  readonly token: string
}

/** How much of an input token may be spent within a time window. */
export interface Budget extends TokenRef {
  readonly amount: bigint
  /** The time window: the last hour, the last day, or the entire lifetime of the store (default: `total`). */
  readonly window?: Window | undefined
}

/** The terms of a signature that is about to be made. */
export interface Terms {
  readonly request: QuoteRequest
  readonly quote: QuotePreview
  /**
   * The id of the budget reservation. Signatures of which the chain can execute at most one have the same id, so an
   * approval that was used with an id may be used again with the same id.
   */
  readonly reservation: string
}

/**
 * What happens after the service refuses a signature. `resume`: another signature is made only if the chain can execute
 * either the refused signature or the new one, but not both. Otherwise, `execute` fails with `OutcomeUnknown`.
 * `trust-service`: the refusal is trusted. A dishonest service can then collect another live signature with every
 * refusal.
 */
type AfterRefusal = "resume" | "trust-service"

/** The rules of a policy. Every rule is optional. */
export interface Options {
  /**
   * What must be verified before anything is signed. `required` (the default): nothing is signed without a pinned
   * deployment, the operation's fields and a signer that verifies the operation. `when-possible`: everything that can be
   * verified is verified. If the service sends only a hash, you trust its claim about what the hash represents.
   */
  readonly verification?: "required" | "when-possible" | undefined
  /** The chains and the service's contracts, from a source that you trust. */
  readonly network?: Network.Network | undefined
  /**
   * The maximum total cost in basis points of the input's value, which includes the fee and the network cost. A quote
   * whose total cost is unknown is also rejected. The service reports the cost, so only `minOutput` protects you from a
   * dishonest service.
   */
  readonly maxTotalCostBps?: number | undefined
  /** The maximum fee in basis points. This rule checks the fee that the service reports. */
  readonly maxFeeBps?: number | undefined
  /**
   * Returns the minimum output to accept for a request, or `undefined` for no limit. The signature enforces this
   * minimum.
   */
  readonly minOutput?: ((request: QuoteRequest) => bigint | undefined) | undefined
  readonly allowedChains?: ReadonlyArray<number> | undefined
  /** The tokens that may be paid or received. */
  readonly allowedTokens?: ReadonlyArray<TokenRef> | undefined
  /**
   * The addresses that may receive the output. The wallet's own address may receive the output only if it is also
   * listed.
   */
  readonly allowedRecipients?: ReadonlyArray<string> | undefined
  /** The maximum `slippageBps` in a request (default: 5000). */
  readonly maxSlippageBps?: number | undefined
  /**
   * How much of each input token may be spent. If this is set, tokens that are not listed cannot be spent. The amount
   * of every signature that has been sent is deducted permanently, even if the service says that the swap failed.
   * Spending is stored in the `Store`, which requires a store with locks.
   */
  readonly budgets?: ReadonlyArray<Budget> | undefined
  /** How many swaps of a wallet may be signed within an hour, on all chains together. Stored like `budgets`. */
  readonly maxSwapsPerHour?: number | undefined
  /**
   * Called before each signature, once the budget has been reserved (default: accept). Return `false` to refuse the
   * terms, or the id of an approval that a person has to give first. The id is in the error's `approvalId`.
   */
  readonly approve?: ((terms: Terms) => Effect.Effect<boolean | string, StoreError>) | undefined
  /**
   * EVM only: the ways to pay that are allowed, with the preferred one first (default: all of them, `delegation` first,
   * then in the service's order).
   */
  readonly paymentMethods?: ReadonlyArray<Method> | undefined
  /** What happens after the service refuses a signature (default: `resume`). */
  readonly afterRefusal?: AfterRefusal | undefined
  /** The maximum time until an operation's deadline, in seconds (default: `Operation.maxLifetimeSeconds`). */
  readonly maxLifetimeSeconds?: number | undefined
  /**
   * Whether the tools for agents may sign a swap whose outcome the client's readers cannot prove (default: no). They then
   * know only what the service claims.
   */
  readonly acceptClaims?: boolean | undefined
  /**
   * Called if the service sends a HIGH_PRICE_IMPACT warning (default: accept). Return `false` to reject the quote. For
   * a limit that does not rely on the service, use `minOutput`.
   */
  readonly onHighCost?: ((quote: Quote, request: QuoteRequest) => Effect.Effect<boolean>) | undefined
}

/** The policy in the form that the swap programs use. */
export interface Policy {
  readonly verification: "required" | "when-possible"
  readonly afterRefusal: AfterRefusal
  readonly maxLifetimeSeconds: number | undefined
  /** The allowed ways to pay, with the preferred one first. `undefined`: all of them. */
  readonly paymentMethods?: ReadonlyArray<Method> | undefined
  readonly deploymentOf: (chainId: number) => Deployment | undefined
  /** Checks a request before anything is sent. */
  readonly checkRequest: (request: QuoteRequest) => Effect.Effect<void, PolicyViolation>
  /** Checks a quote before an operation is built from it. */
  readonly checkQuote: (request: QuoteRequest, quote: Quote) => Effect.Effect<void, PolicyViolation>
  /** What each signature for a request reserves. */
  readonly reservations: (request: QuoteRequest) => ReadonlyArray<LimitedAmount>
  /** Asks for an approval of the exact terms, once they are reserved and before they are signed. */
  readonly approve: (terms: Terms) => Effect.Effect<void, PolicyViolation | StoreError>
}

/** The client's policy. */
export const Policy: Context.Service<Policy, Policy> = /* @__PURE__ */ Context.Service<Policy>("@geoswap/core/Policy")

/** Creates the error for a swap that breaks a rule. */
export const violation = (
  rule: string,
  expected: string,
  found: string,
  advice?: string,
  limit?: PolicyViolation["limit"],
  approvalId?: string
): PolicyViolation =>
  new PolicyViolation({
    rule,
    expected,
    found,
    ...(limit && { limit }),
    ...(approvalId !== undefined && { approvalId }),
    message: `The policy refuses this swap: ${rule} allows ${expected}, but the value is ${found}.${advice ? ` ${advice}` : ""}`
  })

/** The default maximum slippage: half the output. A higher slippage is probably a mistake. */
const defaultMaxSlippageBps = 5_000

type FamilyOf = (chainId: number) => Chain.Family

const same = (familyOf: FamilyOf, ref: TokenRef, chainId: number, token: string): boolean =>
  ref.chainId === chainId && Chain.sameAddress(familyOf(chainId), ref.token, token)

const listed = "only listed values"

/** Returns the error for the first rule that a request breaks. */
const requestViolation = (options: Options, request: QuoteRequest, familyOf: FamilyOf): PolicyViolation | undefined => {
  const { allowedChains: chains, allowedTokens: tokens, allowedRecipients: recipients, budgets } = options
  const { maxSlippageBps: most = defaultMaxSlippageBps } = options
  const { originChain, destinationChain, recipient = request.walletAddress } = request
  for (const [chainId, token] of [
    [originChain, request.inputToken],
    [destinationChain, request.outputToken]
  ] as const) {
    if (chains && !chains.includes(chainId)) return violation("allowedChains", listed, `${chainId}`)
    if (tokens && !tokens.some((ref) => same(familyOf, ref, chainId, token))) {
      return violation("allowedTokens", listed, `${token} on ${chainId}`)
    }
  }
  const { slippageBps = defaultSlippageBps } = request
  if (!(slippageBps <= most)) return violation("maxSlippageBps", `at most ${most}`, `${slippageBps}`)
  if (budgets?.every((ref) => !same(familyOf, ref, originChain, request.inputToken))) {
    return violation("budgets", listed, `${request.inputToken} on ${originChain}`)
  }
  return recipients?.every((allowed) => !Chain.sameAddress(familyOf(destinationChain), allowed, recipient))
    ? violation("allowedRecipients", listed, recipient)
    : undefined
}

/** Returns the error for the first rule that a quote breaks. */
const quoteViolation = (options: Options, request: QuoteRequest, quote: Quote): PolicyViolation | undefined => {
  const { maxTotalCostBps: maxCost, maxFeeBps: maxFee } = options
  const { costs, output, feeBps } = quote
  const minimum = minOutputOf(quote)
  const least = options.minOutput?.(request)
  if (minimum === 0n || minimum > output)
    return violation("minOutput", `a minimum between 1 and the output, ${output}`, `${minimum}`)
  // The signature enforces the quote's minimum output, so the service must not set a lower minimum than the slippage
  // allows.
  const slippage = request.slippageBps ?? defaultSlippageBps
  const allowed = (output * BigInt(10_000 - slippage) - 1n) / 10_000n
  const below = (rule: string, amount: bigint, expected: string) =>
    violation(rule, expected, `${minimum}`, undefined, { amount, found: minimum })
  if (minimum < allowed) {
    return below("slippageBps", allowed, `a minimum within ${slippage} basis points of ${output}`)
  }
  if (least !== undefined && minimum < least) return below("minOutput", least, `at least ${least}`)
  if (maxFee !== undefined && !(feeBps <= maxFee)) return violation("maxFeeBps", `at most ${maxFee}`, `${feeBps}`)
  return maxCost !== undefined && !((costs.total?.bps ?? Infinity) <= maxCost)
    ? violation("maxTotalCostBps", `a known cost of at most ${maxCost}`, `${costs.total?.bps}`)
    : undefined
}

const enforce = (broken: PolicyViolation | undefined): Effect.Effect<void, PolicyViolation> =>
  broken ? Effect.fail(broken) : Effect.void

const confirmHighCost = (options: Options, request: QuoteRequest, quote: Quote) =>
  options.onHighCost && quote.warnings?.some(({ code }) => code === highCostWarning)
    ? Effect.flatMap(options.onHighCost(quote, request), (agreed) =>
        enforce(
          agreed ? undefined : violation("onHighCost", "only a cost that you accept", `${quote.costs.total?.bps}`)
        )
      )
    : Effect.void

/** The scope that the number of a wallet's swaps is stored in, on all chains together. */
export const swapCount = { chainId: 0, token: "swaps" }

/** Creates a policy. */
export const make = (options: Options = {}): Effect.Effect<Policy> =>
  Effect.gen(function* () {
    const { network = Network.empty } = options
    const familyOf = Network.familyOf(network, yield* Chain.Families)
    return {
      // For an unknown value, use the safer option.
      verification: options.verification === "when-possible" ? "when-possible" : "required",
      afterRefusal: options.afterRefusal === "trust-service" ? "trust-service" : "resume",
      maxLifetimeSeconds: options.maxLifetimeSeconds,
      paymentMethods: options.paymentMethods,
      deploymentOf: (chainId) => Network.find(network, chainId)?.deployment,
      checkRequest: (request) => enforce(requestViolation(options, request, familyOf)),
      checkQuote: (request, quote) =>
        Effect.andThen(enforce(quoteViolation(options, request, quote)), confirmHighCost(options, request, quote)),
      reservations: ({ amount, inputToken: token, originChain: chainId }) => {
        const { budgets, maxSwapsPerHour: swaps } = options
        const limits = budgets
          ?.filter((ref) => same(familyOf, ref, chainId, token))
          .map(({ window = "total", amount: most }) => ({ window, amount: most }))
        const hourly = { window: "hour" as const, amount: BigInt(swaps ?? 0) }
        return [
          ...(limits ? [{ rule: "budgets" as const, chainId, token, amount, limits }] : []),
          ...(swaps === undefined
            ? []
            : [{ rule: "maxSwapsPerHour" as const, ...swapCount, amount: 1n, limits: [hourly] }])
        ]
      },
      approve: Effect.fnUntraced(function* (terms) {
        const answer = options.approve ? yield* options.approve(terms) : true
        if (answer === true) return
        const needed = typeof answer === "string" ? answer : undefined
        const found = needed === undefined ? "refused" : `waiting for approval ${needed}`
        return yield* violation("approve", "only approved swaps", found, undefined, undefined, needed)
      })
    }
  })

/**
 * A layer that provides a policy, and the chain families of its network.
 *
 * @example
 * ```ts
 * const policy = Policy.layer({
 *   network: { chains: [{ id: 8453, name: "base", family: "evm", deployment: { delegates: [delegate], vault } }] },
 *   maxTotalCostBps: 100
 * })
 * ```
 */
export const layer = (options: Options = {}): Layer.Layer<Policy> =>
  Layer.merge(
    Layer.effect(Policy, make(options)),
    Layer.effect(
      Chain.Families,
      Effect.map(Chain.Families, (familyOf) => Network.familyOf(options.network ?? Network.empty, familyOf))
    )
  )
