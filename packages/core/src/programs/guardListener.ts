/** Swap listeners. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"

/**
 * Guards a listener: if it fails, the failure is logged and the swap continues. Interrupts do not come from the
 * listener, so they still stop the swap.
 */
export const guardListener =
  <A, R>(listen: (value: A) => Effect.Effect<unknown, unknown, R>) =>
  (value: A): Effect.Effect<void, never, R> =>
    Effect.catchCause(Effect.asVoid(listen(value)), (cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.interrupt
        : Effect.andThen(
            Effect.annotateCurrentSpan({ "listener.failed": true }),
            Effect.logError("A swap listener failed; the swap continues.", cause)
          )
    )
