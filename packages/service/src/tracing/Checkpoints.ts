/** Checkpoints: named points in a swap's execution at which a test can stop the process. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * The function that is called at each checkpoint: before and after each change to a swap and each broadcast. It does
 * nothing unless a test provides a different function.
 */
export const Checkpoints = Context.Reference<(checkpoint: string) => Effect.Effect<void>>(
  "@geoswap/service/Checkpoints",
  {
    defaultValue: () => () => Effect.void
  }
)

/** Reports that a checkpoint has been reached. */
export const checkpoint = (name: string): Effect.Effect<void> => Effect.flatMap(Checkpoints, (mark) => mark(name))
