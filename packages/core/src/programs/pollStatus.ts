/** Waiting for the end of a swap. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { RetrySettings } from "../RetrySettings.js"
import { isTerminal, type Swap } from "../Swap.js"
import { type CallError, type InvalidInput, type RateLimited, type Unavailable, WaitTimeout } from "../SwapError.js"
import type { Transport } from "../Transport.js"
import { backoffDelay } from "./retry.js"
import { monotonicMillis } from "./timeout.js"
import { status } from "./endpoints.js"

/** How long to wait. */
export interface WaitOptions {
  /** `RetrySettings.waitTimeout` where absent; `"Infinity"` for no limit. */
  readonly timeout?: Duration.Input | undefined
}

/** What waiting can fail with: a busy or unavailable service is waited out, within the timeout. */
export type WaitError = Exclude<CallError, RateLimited | Unavailable> | InvalidInput | WaitTimeout

/** §8: sub-second polling is discouraged. */
const shortestInterval = 1_000
/** A proxy's page in place of an answer passes; a service that speaks another protocol does not. */
const garbledAnswers = 4

const changed = (before: Swap | undefined, now: Swap): boolean =>
  (["status", "originTxHash", "deliveryTxHash", "refundTxHash", "failureCode"] as const).some(
    (field) => before?.[field] !== now[field]
  )

/** Asks until the swap is terminal, telling every change. */
export const pollStatus = Effect.fn("geoswap.wait")(function* <E, R>(
  swapId: string,
  tell: (swap: Swap) => Effect.Effect<void, E, R>,
  options: WaitOptions = {}
): Effect.fn.Return<Swap, WaitError | E, R | Transport> {
  const { maxRetryAfter, waitTimeout } = yield* RetrySettings
  const timeout = Duration.fromInputUnsafe(options.timeout ?? waitTimeout)
  let last: Swap | undefined

  const loop = Effect.gen(function* () {
    for (let failures = 0, garbled = 0; ;) {
      const began = yield* monotonicMillis
      const result = yield* Effect.result(status(swapId))
      let next = began + shortestInterval
      if (result._tag === "Success") {
        const swap = result.success
        const news = changed(last, swap)
        last = swap
        if (news) yield* tell(swap)
        if (isTerminal(swap)) return swap
        failures = garbled = 0
      } else {
        const error = result.failure
        const passes = error._tag === "RateLimited" || error._tag === "Unavailable"
        if (!passes && (error._tag !== "ProtocolError" || ++garbled > garbledAnswers)) return yield* Effect.fail(error)
        const said = passes && error.retryAfter ? Math.min(error.retryAfter, maxRetryAfter) : 0
        const pause = said || (yield* backoffDelay(failures++))
        next = Math.max(next, (yield* monotonicMillis) + pause)
      }
      // A request that was held for its 15 s is followed by the next at once.
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
          message: `Swap ${swapId} is still ${last?.status ?? "pending"} after ${Duration.toSeconds(timeout)} s: wait for it again.`
        })
      )
  })
})
