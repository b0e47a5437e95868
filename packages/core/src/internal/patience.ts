/** Bounds in time and number for single requests. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { Settings } from "../Settings.js"
import { type JournalError, type LedgerError, type SwapError, Unavailable } from "../SwapError.js"

/** Milliseconds on a clock that no one sets; only differences mean anything. */
export const monotonicMillis: Effect.Effect<number> = Clock.clockWith((clock) =>
  Effect.map(clock.monotonicTimeNanos, (nanos) => Number(nanos / 1_000_000n))
)

/** One request, or one word with the journal, bounded in time. */
export const bounded = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E | Unavailable, R> =>
  Effect.flatMap(Settings, ({ requestTimeout }) =>
    Effect.timeoutOrElse(call, {
      duration: requestTimeout,
      orElse: () =>
        Effect.fail(
          new Unavailable({
            reason: "timeout",
            message: `No answer within ${requestTimeout / 1000} s.`
          })
        )
    })
  )

/** The swap continues whatever the journal or the ledger says here; the trace keeps the message. */
export const noted = <R>(
  writing: Effect.Effect<unknown, JournalError | LedgerError, R>
): Effect.Effect<void, never, R> =>
  Effect.asVoid(
    Effect.catch(bounded(writing), ({ message }) => Effect.annotateCurrentSpan({ "journal.error": message }))
  )

/** The pause before attempt `count + 1`: twice as long each time, between half and all of it by random. */
export const backoff = (count: number): Effect.Effect<number> =>
  Effect.flatMap(Settings, ({ backoff: [first, most] }) =>
    Effect.map(Random.next, (random) => Math.min(most, first * 2 ** count) * (0.5 + random / 2))
  )

/** How long to wait before trying again after an error, or `undefined` where trying again is out of bounds. */
export const pauseAfter = Effect.fnUntraced(function* (
  error: { readonly _tag: SwapError["_tag"]; readonly retryAfter?: number },
  count: number,
  most: number
) {
  const { maxRetryAfter } = yield* Settings
  const said = error.retryAfter
  return count < most && (said ?? 0) <= maxRetryAfter ? said || (yield* backoff(count)) : undefined
})

/** A call without effect, repeated within bounds when the service is busy or unavailable. */
export const patient = Effect.fnUntraced(function* <A, E extends { readonly _tag: SwapError["_tag"] }, R>(
  call: Effect.Effect<A, E, R>
): Effect.fn.Return<A, E, R> {
  const { callAttempts, rateLimitWaits } = yield* Settings
  for (let busy = 0, down = 0; ;) {
    const result = yield* Effect.result(call)
    if (result._tag === "Success") return result.success
    const error = result.failure
    const pause =
      error._tag === "RateLimited"
        ? yield* pauseAfter(error, busy++, rateLimitWaits)
        : error._tag === "Unavailable"
          ? yield* pauseAfter(error, down++, callAttempts - 1)
          : undefined
    if (pause === undefined) return yield* Effect.fail(error)
    yield* Effect.sleep(pause)
  }
})
