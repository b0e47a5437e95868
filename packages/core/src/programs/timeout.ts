/** Time limits for single requests, and the clock they are measured with. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { RetrySettings } from "../RetrySettings.js"
import { Unavailable } from "../SwapError.js"

/** The time in milliseconds on a clock that cannot be set. Only the difference between two readings is meaningful. */
export const monotonicMillis: Effect.Effect<number> = Clock.clockWith((clock) =>
  Effect.map(clock.monotonicTimeNanos, (nanos) => Number(nanos / 1_000_000n))
)

/** Fails with `Unavailable` if a request, or a call to the store, exceeds `requestTimeout`. */
export const withTimeout = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E | Unavailable, R> =>
  Effect.flatMap(RetrySettings, ({ requestTimeout }) =>
    Effect.timeoutOrElse(call, {
      duration: requestTimeout,
      orElse: () =>
        Effect.fail(
          new Unavailable({
            reason: "timeout",
            message: `No response within ${requestTimeout / 1000} s.`
          })
        )
    })
  )
