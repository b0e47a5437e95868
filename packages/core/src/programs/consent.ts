/** Callbacks whose answer decides what is signed. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"

/**
 * Whether a callback answers `true`. A callback that fails, dies or throws is logged and means no. An interrupt stops the
 * swap.
 */
export const isConsented = (ask: () => Effect.Effect<unknown, unknown>): Effect.Effect<boolean> =>
  Effect.suspend(ask).pipe(
    Effect.map((answer) => answer === true),
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.interrupt
        : Effect.as(Effect.logError("A consent callback failed: nothing is signed.", cause), false)
    )
  )
