/** Retries for single requests: after which errors, how many times, and after what delay. */
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { RetrySettings } from "../RetrySettings.js"
import type { SwapError } from "../SwapError.js"

/**
 * The delay after `count` retries. It doubles each time up to a maximum, and is then multiplied by a random factor
 * between 0.5 and 1.
 */
export const backoffDelay = (count: number): Effect.Effect<number> =>
  Effect.flatMap(RetrySettings, ({ backoff: [first, most] }) =>
    Effect.map(Random.next, (random) => Math.min(most, first * 2 ** count) * (0.5 + random / 2))
  )

/** The delay before the next attempt, or `undefined` if no retries are left or `Retry-After` is too long. */
export const retryDelay = Effect.fnUntraced(function* (
  error: { readonly _tag: SwapError["_tag"]; readonly retryAfter?: number },
  count: number,
  most: number
) {
  const { maxRetryAfter } = yield* RetrySettings
  const { retryAfter } = error
  return count < most && (retryAfter ?? 0) <= maxRetryAfter ? retryAfter || (yield* backoffDelay(count)) : undefined
})

/**
 * Retries a call without side effects. Retries after `RateLimited` and retries after `Unavailable` are counted
 * separately.
 */
export const retry = Effect.fnUntraced(function* <A, E extends { readonly _tag: SwapError["_tag"] }, R>(
  call: Effect.Effect<A, E, R>
): Effect.fn.Return<A, E, R> {
  const { callAttempts, rateLimitWaits } = yield* RetrySettings
  for (let rateLimited = 0, unavailable = 0; ;) {
    const result = yield* Effect.result(call)
    if (result._tag === "Success") return result.success
    const error = result.failure
    const delay =
      error._tag === "RateLimited"
        ? yield* retryDelay(error, rateLimited++, rateLimitWaits)
        : error._tag === "Unavailable"
          ? yield* retryDelay(error, unavailable++, callAttempts - 1)
          : undefined
    if (delay === undefined) return yield* Effect.fail(error)
    yield* Effect.sleep(delay)
  }
})
