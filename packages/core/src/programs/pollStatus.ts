/** Polls the status of a swap until the swap reaches a terminal state. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { SwapId } from "../Id.js"
import { RetrySettings } from "../RetrySettings.js"
import { isTerminal, type Swap } from "../Swap.js"
import { type CallError, type InvalidInput, type RateLimited, type Unavailable, WaitTimeout } from "../SwapError.js"
import type { Transport } from "../Transport.js"
import { backoffDelay } from "./retry.js"
import { monotonicMillis } from "./timeout.js"
import { status } from "./endpoints.js"

/** Options for waiting for a swap. */
export interface WaitOptions {
  /** How long to wait (default: `RetrySettings.waitTimeout`). Use `"Infinity"` for no limit. */
  readonly timeout?: Duration.Input | undefined
}

/**
 * The errors that can occur while waiting for a swap to end. `RateLimited` and `Unavailable` are retried until the
 * timeout.
 */
export type WaitError = Exclude<CallError, RateLimited | Unavailable> | InvalidInput | WaitTimeout

/** Sub-second polling is discouraged. */
const minInterval = 1_000
/**
 * How many invalid responses in a row are tolerated. An error page from a proxy is temporary; an incompatible service
 * is not.
 */
const maxInvalidResponses = 4

const hasChanged = (before: Swap | undefined, now: Swap): boolean =>
  (["status", "originTxHash", "deliveryTxHash", "refundTxHash", "failureCode"] as const).some(
    (field) => before?.[field] !== now[field]
  )

/** Polls until the swap reaches a terminal state, and emits every change. */
export const pollStatus = Effect.fn("geoswap.wait")(function* <E, R>(
  swapId: SwapId,
  emit: (swap: Swap) => Effect.Effect<void, E, R>,
  options: WaitOptions = {}
): Effect.fn.Return<Swap, WaitError | E, R | Transport> {
  const { maxRetryAfter, waitTimeout } = yield* RetrySettings
  const timeout = Duration.fromInputUnsafe(options.timeout ?? waitTimeout)
  let last: Swap | undefined

  const loop = Effect.gen(function* () {
    for (let failures = 0, invalid = 0; ;) {
      const startedAt = yield* monotonicMillis
      const result = yield* Effect.result(status(swapId))
      let next = startedAt + minInterval
      if (result._tag === "Success") {
        const swap = result.success
        const isNew = hasChanged(last, swap)
        last = swap
        if (isNew) yield* emit(swap)
        if (isTerminal(swap)) return swap
        failures = invalid = 0
      } else {
        const error = result.failure
        const isTemporary = error._tag === "RateLimited" || error._tag === "Unavailable"
        if (!isTemporary && (error._tag !== "ProtocolError" || ++invalid > maxInvalidResponses))
          return yield* Effect.fail(error)
        const retryAfter = isTemporary && error.retryAfter ? Math.min(error.retryAfter, maxRetryAfter) : 0
        const delay = retryAfter || (yield* backoffDelay(failures++))
        next = Math.max(next, (yield* monotonicMillis) + delay)
      }
      // If the service took longer than the polling interval to respond, the next request follows immediately.
      yield* Effect.sleep(Math.max(0, next - (yield* monotonicMillis)))
    }
  })

  return yield* Effect.timeoutOrElse(loop, {
    duration: timeout,
    orElse: () =>
      Effect.fail(
        new WaitTimeout({
          swapId,
          status: last?.status ?? "pending",
          message: `Swap ${swapId} is still ${last?.status ?? "pending"} after ${Duration.toSeconds(timeout)} s. Keep waiting.`
        })
      )
  })
})
