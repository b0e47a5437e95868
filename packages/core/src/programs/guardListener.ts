/** Whoever listens to a swap. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"

/**
 * A listener that fails is logged, and does not stop a swap that may already be under way. An interrupt is not the
 * listener's: it stops the swap.
 */
export const guardListener =
  <A, R>(listen: (value: A) => Effect.Effect<unknown, unknown, R>) =>
  (value: A): Effect.Effect<void, never, R> =>
    Effect.catchCause(Effect.asVoid(listen(value)), (cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.interrupt
        : Effect.andThen(
            Effect.annotateCurrentSpan({ "listener.failed": true }),
            Effect.logError("A listener of a swap failed; the swap continues.", cause)
          )
    )
