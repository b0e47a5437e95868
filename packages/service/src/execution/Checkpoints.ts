/** Checkpoints: named points of execution at which tests stop a process. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** Called before and after each step. Does nothing unless a test provides another function. */
export const Checkpoints = Context.Reference<(checkpoint: string) => Effect.Effect<void>>(
  "@geoswap/service/Checkpoints",
  {
    defaultValue: () => () => Effect.void
  }
)

/** Reaches a checkpoint. */
export const checkpoint = (name: string): Effect.Effect<void> => Effect.flatMap(Checkpoints, (mark) => mark(name))
