/** Quotes that the policy and the caller accept. */
import * as Effect from "effect/Effect"
import { unsafe } from "../Operation.js"
import { Policy, violation } from "../Policy.js"
import { lifetimeMillis, minOutputOf, type Quote, type QuoteRequest } from "../Quote.js"
import { RetrySettings } from "../RetrySettings.js"
import {
  Declined,
  type InvalidInput,
  type PolicyViolation,
  type QuoteError,
  type UnsafeOperation
} from "../SwapError.js"
import { type Emit, previewOf, type QuotePreview } from "../SwapEvent.js"
import type { Transport } from "../Transport.js"
import { isConsented } from "./consent.js"
import { quote } from "./endpoints.js"
import { retry } from "./retry.js"
import { monotonicMillis } from "./timeout.js"

/** A quote that the policy allows. */
interface AllowedQuote {
  readonly quote: Quote
  /** When the quote was received, on the monotonic clock. */
  readonly receivedAt: number
}

/** A quote from which an operation may be built and signed. */
export interface AcceptedQuote extends AllowedQuote {
  /** The minimum output that the caller accepted. */
  readonly minimum: bigint
  /** How many times the quote has been replaced in this swap. */
  readonly requotes: number
}

/** Options for the quotes in one swap. */
export interface QuoteOptions {
  /**
   * A quote for this request that the user has already accepted. This quote is used until it expires. The minimum of a
   * replacement quote must not be lower than this quote's minimum, and must not be a smaller share of the output,
   * unless `acceptRequote` returns `true`.
   */
  readonly quote?: Quote | undefined
  /** How many times an expired quote is replaced (default: `RetrySettings.maxRequotes`). */
  readonly maxRequotes?: number | undefined
  /** The minimum output to accept, in addition to the policy's limits. */
  readonly minOutput?: bigint | undefined
  /**
   * Called with the first quote, before anything is built or signed (default: accept). Return `false` to end the swap
   * with `Declined`. If this callback fails, dies or throws, that is treated as `false`. In contrast, the swap
   * continues if a progress listener fails.
   */
  readonly acceptQuote?: ((quote: QuotePreview, request: QuoteRequest) => Effect.Effect<boolean>) | undefined
  /**
   * Called if a new quote's minimum is lower than the accepted minimum, or is a smaller share of the output (default:
   * reject).
   */
  readonly acceptRequote?: ((previous: QuotePreview, offered: QuotePreview) => Effect.Effect<boolean>) | undefined
}

/** The errors that can occur while getting a quote. */
export type AllowedQuoteError = QuoteError | InvalidInput | PolicyViolation | UnsafeOperation

/** Checks a quote against the policy. Requests the quote first, unless the caller supplied one. */
export const allowedQuote = Effect.fnUntraced(function* (
  request: QuoteRequest,
  { minOutput }: QuoteOptions,
  known?: Quote
): Effect.fn.Return<AllowedQuote, AllowedQuoteError, Transport | Policy> {
  const policy = yield* Policy
  // What is checked is what is signed, even if the caller's object changes.
  const offered = known ? { ...known } : yield* retry(quote(request))
  const receivedAt = yield* monotonicMillis
  if (policy.verification === "required" && offered.minOutput === undefined) {
    return yield* unsafe("minOutput", "set in the quote", "none")
  }
  if (minOutput !== undefined && minOutputOf(offered) < minOutput) {
    const found = minOutputOf(offered)
    return yield* violation("minOutput", `at least ${minOutput}`, `${found}`, undefined, {
      amount: minOutput,
      found
    })
  }
  yield* policy.checkQuote(request, offered)
  return { quote: offered, receivedAt }
})

/**
 * Gets the first quote and asks the caller to accept it. If the caller supplied the quote, its age is unknown, but the
 * service refuses to build an operation from an expired quote.
 */
export const firstQuote = Effect.fnUntraced(function* <E, R>(
  request: QuoteRequest,
  options: QuoteOptions,
  emit: Emit,
  ensurePayable: (quote: Quote) => Effect.Effect<void, E, R>
): Effect.fn.Return<AcceptedQuote, AllowedQuoteError | Declined | E, Transport | Policy | R> {
  const allowed = yield* allowedQuote(request, options, options.quote)
  yield* ensurePayable(allowed.quote)
  const { acceptQuote } = options
  yield* emit({ type: "quoted", request, quote: previewOf(allowed.quote) })
  if (acceptQuote && !(yield* isConsented(() => acceptQuote(previewOf(allowed.quote), request)))) {
    return yield* new Declined({ what: "quote", message: "The quote was not accepted. No swap was signed." })
  }
  return { ...allowed, minimum: minOutputOf(allowed.quote), requotes: 0 }
})

/**
 * Whether a quote has too little time left to build an operation from it. A quote expires 30 s after it is received,
 * regardless of the service's clock.
 */
export const isStale = ({ receivedAt }: AcceptedQuote): Effect.Effect<boolean> =>
  Effect.flatMap(RetrySettings, ({ quoteMargin }) =>
    Effect.map(monotonicMillis, (now) => now - receivedAt > lifetimeMillis - quoteMargin)
  )
