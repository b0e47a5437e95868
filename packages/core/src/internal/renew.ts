/** Quotes that are accepted by the policy, and their renewal when they run out. */
import * as Effect from "effect/Effect"
import { unsafe } from "../Operation.js"
import { Policy, violation } from "../Policy.js"
import { lifetimeMillis, minimumOf, type Quote, type QuoteRequest } from "../Quote.js"
import { Settings } from "../Settings.js"
import {
  type CallError,
  Declined,
  type Expired,
  type InvalidInput,
  type PolicyViolation,
  QuoteMoved,
  type Rejected,
  type UnsafeOperation
} from "../SwapError.js"
import { type Emit, previewOf, type QuotePreview } from "../SwapEvent.js"
import type { Transport } from "../Transport.js"
import { allowed } from "./gate.js"
import { monotonicMillis, patient } from "./patience.js"
import { quote } from "./verbs.js"

/** A quote in hand. */
export interface Held {
  readonly quote: Quote
  /** When it came, on the monotonic clock. */
  readonly since: number
  /** The least that was agreed to. */
  readonly minimum: bigint
  /** How often it was renewed. */
  readonly renewals: number
}

/** What a caller may say about the quotes of one swap. */
export interface QuoteOptions {
  /**
   * One for this very request that somebody has agreed to already: used while it lasts, and then renewed, but never
   * with a lower minimum than they have seen unless `acceptRequote` says yes.
   */
  readonly quote?: Quote | undefined
  /** `Settings.maxRequotes` where absent. */
  readonly maxRequotes?: number | undefined
  /** The least output to accept, besides what the policy says. */
  readonly minOutput?: bigint | undefined
  /**
   * Asked with the first quote, before anything is built or signed; accepted if omitted. A `false` ends with `Declined`.
   * Like every gate here, it says no if it fails, dies or throws. A listener is not a gate: the swap continues if it fails.
   */
  readonly acceptQuote?: ((quote: QuotePreview, request: QuoteRequest) => Effect.Effect<boolean>) | undefined
  /** Asked when a renewed quote binds a lower minimum than the first one, or a weaker one; refused if omitted. */
  readonly acceptRequote?: ((previous: QuotePreview, offered: QuotePreview) => Effect.Effect<boolean>) | undefined
}

type Failure = CallError | InvalidInput | PolicyViolation | UnsafeOperation

const ask = Effect.fnUntraced(function* (
  request: QuoteRequest,
  options: QuoteOptions,
  agreed?: Quote
): Effect.fn.Return<Omit<Held, "minimum" | "renewals">, Failure, Transport | Policy> {
  const policy = yield* Policy
  const offered = agreed ?? (yield* patient(quote(request)))
  const since = yield* monotonicMillis
  if (policy.verification === "required" && offered.minOutput === undefined) {
    return yield* unsafe("minOutput", "named in the quote", "absent")
  }
  if (options.minOutput !== undefined && minimumOf(offered) < options.minOutput) {
    return yield* violation("minOutput", `at least ${options.minOutput}`, `${minimumOf(offered)}`)
  }
  yield* policy.checkQuote(request, offered)
  return { quote: offered, since }
})

/** The first quote. How old one in hand is, the service knows: it refuses to build what ran out. */
export const first = Effect.fnUntraced(function* (
  request: QuoteRequest,
  options: QuoteOptions,
  emit: Emit
): Effect.fn.Return<Held, Failure | Declined, Transport | Policy> {
  const held = yield* ask(request, options, options.quote)
  const { acceptQuote } = options
  yield* emit({ type: "quoted", request, quote: previewOf(held.quote) })
  if (acceptQuote && !(yield* allowed(() => acceptQuote(previewOf(held.quote), request)))) {
    return yield* new Declined({ what: "quote", message: "The quote was not accepted. No swap was signed." })
  }
  return { ...held, minimum: minimumOf(held.quote), renewals: 0 }
})

/** Whether a quote has too little time left to build with: 30 s from its receipt, whatever the service's clock says. */
export const isStale = (held: Held): Effect.Effect<boolean> =>
  Effect.flatMap(Settings, ({ quoteMargin }) =>
    Effect.map(monotonicMillis, (now) => now - held.since > lifetimeMillis - quoteMargin)
  )

/** A fresh quote in place of one that ran out; `otherwise` is the error once renewing has come to its bound. */
export const renew = Effect.fnUntraced(function* (
  request: QuoteRequest,
  held: Held,
  options: QuoteOptions,
  emit: Emit,
  otherwise: Expired | Rejected
): Effect.fn.Return<Held, Failure | QuoteMoved | Expired, Transport | Policy> {
  const settings = yield* Settings
  if (!(held.renewals < (options.maxRequotes ?? settings.maxRequotes))) return yield* otherwise
  const fresh = yield* ask(request, options)
  const previous = previewOf(held.quote)
  const offered = previewOf(fresh.quote)
  const renewals = held.renewals + 1
  yield* emit({ type: "requoted", quote: offered, previous, count: renewals })
  // With a better price, the minimum may not lie further below it than before.
  const keepsDistance = (minimumOf(offered) + 1n) * previous.output >= minimumOf(previous) * offered.output
  // The minimum is all that binds the service: what is signed may not lie below the one that was agreed to first.
  if (keepsDistance && minimumOf(offered) >= held.minimum) return { ...fresh, minimum: held.minimum, renewals }
  const { acceptRequote } = options
  if (!acceptRequote || !(yield* allowed(() => acceptRequote(previous, offered)))) {
    return yield* new QuoteMoved({
      accepted: held.minimum,
      offered: offered.output,
      message: `The quote moved to ${offered.output}, at least ${minimumOf(offered)}; agreed was ${held.minimum}.`
    })
  }
  return { ...fresh, minimum: minimumOf(offered), renewals }
})
