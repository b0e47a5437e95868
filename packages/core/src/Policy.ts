/** What the caller allows to be signed: limits on quotes, lists of whom to deal with, budgets, pinned deployments. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Chain from "./Chain.js"
import { bestEffort } from "./programs/bestEffort.js"
import { Ledger, makeMemory, type Window } from "./Ledger.js"
import type { Deployment } from "./Operation.js"
import { defaultSlippageBps, highPriceImpact, minimumOf, type Quote, type QuoteRequest } from "./Quote.js"
import { type LedgerError, PolicyViolation } from "./SwapError.js"

/**
 * `required`: nothing is signed without a pinned deployment, the operation's fields and a signer that checks them.
 * `when-possible`: what is there is checked; a service that sends only a hash is trusted with what that hash means.
 */
export type Verification = "required" | "when-possible"

/** A token on a chain. */
export interface TokenRef {
  readonly chain: number
  readonly token: string
}

/** How much of an input token may be signed away, and in what time. */
export interface Budget extends TokenRef {
  readonly amount: bigint
  /** The last hour, the last day, or ever since the ledger began; `total` if omitted. */
  readonly window?: Window | undefined
}

/**
 * What happens once the service has refused something that was signed. `resume`: nothing else is signed unless a chain
 * can execute only one of the two; `execute` ends with `OutcomeUnknown`. `trust-service`: the service's word that nothing
 * was accepted is believed. A service that lies collects a live signature for every refusal.
 */
export type AfterRefusal = "resume" | "trust-service"

/** The rules; every one is optional. */
export interface Options {
  /** `required` where absent. */
  readonly verification?: Verification | undefined
  /** The service's contracts by chain id, from a source the caller trusts. */
  readonly deployments?: Readonly<Record<number, Deployment>> | undefined
  /**
   * The largest loss of value, as a positive number: 100 refuses a price impact of -101 basis points, and a quote that
   * states none. What the service states is believed: only `minOutput` binds a service that lies.
   */
  readonly maxPriceImpactBps?: number | undefined
  /** The largest fee, as the service states it. */
  readonly maxFeeBps?: number | undefined
  /** The least output to accept for a request; `undefined` for no limit. The signature binds it. */
  readonly minOutput?: ((request: QuoteRequest) => bigint | undefined) | undefined
  readonly allowedChains?: ReadonlyArray<number> | undefined
  /** Tokens that may be paid or received. */
  readonly allowedTokens?: ReadonlyArray<TokenRef> | undefined
  /** Who may receive; the wallet itself counts as a recipient as well. */
  readonly allowedRecipients?: ReadonlyArray<string> | undefined
  /** The largest `slippageBps` of a request; 5000 if omitted. */
  readonly maxSlippageBps?: number | undefined
  /**
   * How much of each input token may be signed away. Once this is set, a token that it does not list has no budget. Every
   * signature that left counts for good, since what became of it is the service's word. What is spent is in the `Ledger`:
   * without one it lasts as long as this policy.
   */
  readonly budgets?: ReadonlyArray<Budget> | undefined
  /** `resume` if omitted. */
  readonly afterRefusal?: AfterRefusal | undefined
  /** How far in the future the deadline of an operation may lie, in seconds; `Operation.maxLifetimeSeconds` if omitted. */
  readonly maxLifetimeSeconds?: number | undefined
  /**
   * Asked when the service warns of HIGH_PRICE_IMPACT; `false` refuses the quote. Proceeds where absent. A limit that
   * does not rest on the service's word is `minOutput`.
   */
  readonly onHighImpact?: ((quote: Quote, request: QuoteRequest) => Effect.Effect<boolean>) | undefined
}

/** The policy as the programs ask it. */
export interface Shape {
  readonly verification: Verification
  readonly afterRefusal: AfterRefusal
  readonly maxLifetimeSeconds: number | undefined
  readonly deploymentOf: (chainId: number) => Deployment | undefined
  /** Judges a request before anything is sent. */
  readonly checkRequest: (request: QuoteRequest) => Effect.Effect<void, PolicyViolation>
  /** Judges a quote before it is built. */
  readonly checkQuote: (request: QuoteRequest, quote: Quote) => Effect.Effect<void, PolicyViolation>
  /** Sets the input aside under a name before it is signed for, and gives the effect that takes this back. */
  readonly reserve: (
    request: QuoteRequest,
    id: string
  ) => Effect.Effect<Effect.Effect<void>, PolicyViolation | LedgerError>
}

/** What may be signed. */
export class Policy extends Context.Service<Policy, Shape>()("@geoswap/core/Policy") {}

/** The refusal of a swap by one rule. */
export const violation = (rule: string, expected: string, found: string): PolicyViolation =>
  new PolicyViolation({
    rule,
    expected,
    found,
    message: `The policy refuses this: ${rule} allows ${expected}; found ${found}.`
  })

/** Half of the output: what asks for more is rather a mistake. */
const defaultMaxSlippageBps = 5_000

type FamilyOf = (chainId: number) => Chain.Family

const same = (familyOf: FamilyOf, ref: TokenRef, chain: number, token: string): boolean =>
  ref.chain === chain && Chain.sameAddress(familyOf(chain), ref.token, token)

const listed = "what it lists"

/** The first rule that a request breaks. */
const requestViolation = (options: Options, request: QuoteRequest, familyOf: FamilyOf): PolicyViolation | undefined => {
  const { allowedChains: chains, allowedTokens: tokens, allowedRecipients: recipients, budgets } = options
  const { maxSlippageBps: most = defaultMaxSlippageBps } = options
  const { originChain, destinationChain, recipient = request.walletAddress } = request
  for (const [chain, token] of [
    [originChain, request.inputToken],
    [destinationChain, request.outputToken]
  ] as const) {
    if (chains && !chains.includes(chain)) return violation("allowedChains", listed, `${chain}`)
    if (tokens && !tokens.some((ref) => same(familyOf, ref, chain, token))) {
      return violation("allowedTokens", listed, `${token} on ${chain}`)
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

/** The first rule that a quote breaks. */
const quoteViolation = (options: Options, request: QuoteRequest, quote: Quote): PolicyViolation | undefined => {
  const { maxPriceImpactBps: maxImpact, maxFeeBps: maxFee } = options
  const { output, feeBps, priceImpactBps: impact } = quote
  const minimum = minimumOf(quote)
  const least = options.minOutput?.(request)
  if (minimum === 0n || minimum > output) return violation("minOutput", `from 1 to the output ${output}`, `${minimum}`)
  // The minimum is what the signature binds: the service may not weaken it beyond the slippage.
  const slippage = request.slippageBps ?? defaultSlippageBps
  if ((minimum + 1n) * 10_000n < output * BigInt(10_000 - slippage)) {
    return violation("slippageBps", `a minimum within ${slippage} basis points of ${output}`, `${minimum}`)
  }
  if (least !== undefined && minimum < least) return violation("minOutput", `at least ${least}`, `${minimum}`)
  if (maxFee !== undefined && !(feeBps <= maxFee)) return violation("maxFeeBps", `at most ${maxFee}`, `${feeBps}`)
  return maxImpact !== undefined && !((impact ?? -Infinity) >= -maxImpact)
    ? violation("maxPriceImpactBps", `a known loss of at most ${maxImpact}`, `${impact}`)
    : undefined
}

const enforce = (broken: PolicyViolation | undefined): Effect.Effect<void, PolicyViolation> =>
  broken ? Effect.fail(broken) : Effect.void

const askAboutImpact = (options: Options, request: QuoteRequest, quote: Quote) =>
  options.onHighImpact && quote.warnings?.some(({ code }) => code === highPriceImpact)
    ? Effect.flatMap(options.onHighImpact(quote, request), (agreed) =>
        enforce(agreed ? undefined : violation("onHighImpact", "consent", `${quote.priceImpactBps}`))
      )
    : Effect.void

/** A policy from its rules. Without a `Ledger` it keeps what was spent of each budget itself: make one and share it. */
export const make = (options: Options = {}): Effect.Effect<Shape> =>
  Effect.gen(function* () {
    const familyOf = yield* Chain.Families
    const memory = yield* makeMemory
    return {
      // Anything but the one word for it is the safe choice.
      verification: options.verification === "when-possible" ? "when-possible" : "required",
      afterRefusal: options.afterRefusal === "trust-service" ? "trust-service" : "resume",
      maxLifetimeSeconds: options.maxLifetimeSeconds,
      deploymentOf: (chainId) => options.deployments?.[chainId],
      checkRequest: (request) => enforce(requestViolation(options, request, familyOf)),
      checkQuote: (request, quote) =>
        Effect.andThen(enforce(quoteViolation(options, request, quote)), askAboutImpact(options, request, quote)),
      reserve: Effect.fnUntraced(function* (request, id) {
        const { originChain: chain, inputToken: token, walletAddress: wallet, amount } = request
        if (options.budgets === undefined) return Effect.void
        const limits = options.budgets
          .filter((ref) => same(familyOf, ref, chain, token))
          .map(({ window = "total", amount: most }) => ({ window, amount: most }))
        const ledger = (yield* Ledger) ?? memory
        const scope = { id, wallet, chain, token }
        const { window, left } =
          limits.length === 0
            ? { window: "total", left: 0n }
            : ((yield* ledger.reserve({ ...scope, amount, limits })) ?? { left: undefined })
        return left === undefined
          ? bestEffort(ledger.release(scope))
          : yield* violation("budgets", `${left} more of ${token} (${window})`, `${amount}`)
      })
    }
  })

/**
 * A policy as a layer.
 *
 * @example
 * ```ts
 * const policy = Policy.layer({
 *   deployments: { 8453: { delegates: [delegate], vault } },
 *   maxPriceImpactBps: 100
 * })
 * ```
 */
export const layer = (options: Options = {}): Layer.Layer<Policy> => Layer.effect(Policy, make(options))
