/** Questions to the caller whose answer decides what is signed. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"

/**
 * The answer of a gate. Anything but `true` is a no, and so is a gate that fails, dies or throws: that is logged. An
 * interrupt stops the swap.
 */
export const allowed = (gate: () => Effect.Effect<unknown, unknown>): Effect.Effect<boolean> =>
  Effect.suspend(gate).pipe(
    Effect.map((answer) => answer === true),
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.interrupt
        : Effect.as(Effect.logError("A question about a swap failed: nothing is signed for it.", cause), false)
    )
  )
