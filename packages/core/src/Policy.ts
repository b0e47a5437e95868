/** What the caller allows to be signed: limits on quotes, lists of whom to deal with, budgets, pinned deployments. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Chain from "./Chain.js"
import type { Deployment } from "./Operation.js"
import { defaultSlippageBps, highPriceImpact, minimumOf, type Quote, type QuoteRequest } from "./Quote.js"
import { PolicyViolation } from "./SwapError.js"

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

/** The rules; every one is optional. */
export interface Options {
  /** `required` where absent. */
  readonly verification?: Verification | undefined
  /** The service's contracts by chain id, from a source the caller trusts. */
  readonly deployments?: Readonly<Record<number, Deployment>> | undefined
  /** The largest loss of value, as a positive number: 100 refuses a price impact of -101 basis points. */
  readonly maxPriceImpactBps?: number | undefined
  readonly maxFeeBps?: number | undefined
  /** The least output to accept for a request; `undefined` for no limit. */
  readonly minOutput?: ((request: QuoteRequest) => bigint | undefined) | undefined
  readonly allowedChains?: ReadonlyArray<number> | undefined
  /** Tokens that may be paid or received. */
  readonly allowedTokens?: ReadonlyArray<TokenRef> | undefined
  /** Who may receive; the wallet itself counts as a recipient as well. */
  readonly allowedRecipients?: ReadonlyArray<string> | undefined
  /**
   * How much of an input token may be signed away through this policy. Every signature that left counts for good, since
   * what became of it is the service's word; a new policy starts anew.
   */
  readonly budgets?: ReadonlyArray<TokenRef & { readonly amount: bigint }> | undefined
  /**
   * Asked when the service warns of HIGH_PRICE_IMPACT; `false` refuses the quote. Proceeds where absent. A limit that
   * does not rest on the service's warning is `maxPriceImpactBps`.
   */
  readonly onHighImpact?: ((quote: Quote, request: QuoteRequest) => Effect.Effect<boolean>) | undefined
}

/** The policy as the programs ask it. */
export interface Shape {
  readonly verification: Verification
  readonly deploymentOf: (chainId: number) => Deployment | undefined
  /** Judges a request before anything is sent. */
  readonly checkRequest: (request: QuoteRequest) => Effect.Effect<void, PolicyViolation>
  /** Judges a quote before it is built. */
  readonly checkQuote: (request: QuoteRequest, quote: Quote) => Effect.Effect<void, PolicyViolation>
  /** Sets the input aside before it is signed for, and gives the effect that takes this back. */
  readonly reserve: (request: QuoteRequest) => Effect.Effect<Effect.Effect<void>, PolicyViolation>
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

type FamilyOf = (chainId: number) => Chain.Family

const same = (familyOf: FamilyOf, ref: TokenRef, chain: number, token: string): boolean =>
  ref.chain === chain && Chain.sameAddress(familyOf(chain), ref.token, token)

const listed = "what it lists"

/** The first rule that a request breaks. */
const judgeRequest = (options: Options, request: QuoteRequest, familyOf: FamilyOf): PolicyViolation | undefined => {
  const { allowedChains: chains, allowedTokens: tokens, allowedRecipients: recipients } = options
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
  return recipients?.every((allowed) => !Chain.sameAddress(familyOf(destinationChain), allowed, recipient))
    ? violation("allowedRecipients", listed, recipient)
    : undefined
}

/** The first rule that a quote breaks. */
const judgeQuote = (options: Options, request: QuoteRequest, quote: Quote): PolicyViolation | undefined => {
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

/** A policy from its rules. It keeps what was spent of each budget, so make one and share it. */
export const make = (options: Options = {}): Effect.Effect<Shape> =>
  Effect.gen(function* () {
    const familyOf = yield* Chain.Families
    const budgets = (options.budgets ?? []).map((budget) => ({ ...budget, spent: 0n }))
    return {
      // Anything but the one word for it is the safe choice.
      verification: options.verification === "when-possible" ? "when-possible" : "required",
      deploymentOf: (chainId) => options.deployments?.[chainId],
      checkRequest: (request) => enforce(judgeRequest(options, request, familyOf)),
      checkQuote: (request, quote) =>
        Effect.andThen(enforce(judgeQuote(options, request, quote)), askAboutImpact(options, request, quote)),
      reserve: (request) =>
        Effect.suspend(() => {
          const budget = budgets.find((ref) => same(familyOf, ref, request.originChain, request.inputToken))
          if (budget === undefined) return Effect.succeed(Effect.void)
          const left = budget.amount - budget.spent
          if (!(request.amount <= left)) {
            return Effect.fail(violation("budgets", `${left} more of ${request.inputToken}`, `${request.amount}`))
          }
          let { amount } = request
          budget.spent += amount
          return Effect.succeed(
            Effect.sync(() => {
              budget.spent -= amount
              amount = 0n
            })
          )
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
