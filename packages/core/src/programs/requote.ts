/** Replaces an expired quote, and checks that the new minimum is not worse than the accepted one. */
import * as Effect from "effect/Effect"
import type { Policy } from "../Policy.js"
import { minOutputOf, type QuoteRequest, weakensMinimum } from "../Quote.js"
import { RetrySettings } from "../RetrySettings.js"
import { type Expired, QuoteMoved, type Rejected } from "../SwapError.js"
import { type Emit, previewOf } from "../SwapEvent.js"
import type { Transport } from "../Transport.js"
import { type AcceptedQuote, allowedQuote, type AllowedQuoteError, type QuoteOptions } from "./acceptedQuote.js"
import { isConsented } from "./consent.js"

/** Gets a new quote to replace an expired one. Fails with `refusal` if no requotes are left. */
export const requote = Effect.fnUntraced(function* (
  request: QuoteRequest,
  accepted: AcceptedQuote,
  options: QuoteOptions,
  emit: Emit,
  refusal: Expired | Rejected
): Effect.fn.Return<AcceptedQuote, AllowedQuoteError | QuoteMoved | Expired, Transport | Policy> {
  const settings = yield* RetrySettings
  if (!(accepted.requotes < (options.maxRequotes ?? settings.maxRequotes))) return yield* refusal
  const allowed = yield* allowedQuote(request, options)
  const previous = previewOf(accepted.quote)
  const offered = previewOf(allowed.quote)
  const requotes = accepted.requotes + 1
  yield* emit({ type: "requoted", quote: offered, previous, count: requotes })
  // The service is bound only by the minimum, so the new minimum must not be lower than the accepted minimum.
  if (!weakensMinimum(previous, offered) && minOutputOf(offered) >= accepted.minimum) {
    return { ...allowed, minimum: accepted.minimum, requotes }
  }
  const { acceptRequote } = options
  if (!acceptRequote || !(yield* isConsented(() => acceptRequote(previous, offered)))) {
    return yield* new QuoteMoved({
      accepted: accepted.minimum,
      offered: offered.output,
      message: `The new quote offers ${offered.output}, with a minimum of ${minOutputOf(offered)}; the accepted minimum was ${accepted.minimum}.`
    })
  }
  return { ...allowed, minimum: minOutputOf(offered), requotes }
})
