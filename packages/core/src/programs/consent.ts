/** Callbacks that decide what is signed. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"

/**
 * Whether a callback returns `true`. If the callback fails, dies or throws, the error is logged and the result is
 * `false`. An interrupt stops the swap.
 */
export const isConsented = (ask: () => Effect.Effect<unknown, unknown>): Effect.Effect<boolean> =>
  Effect.suspend(ask).pipe(
    Effect.map((answer) => answer === true),
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.interrupt
        : Effect.as(Effect.logError("A consent callback failed, so nothing will be signed.", cause), false)
    )
  )
