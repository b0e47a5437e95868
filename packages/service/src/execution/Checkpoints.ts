/** The names of what execution does, one by one: tests stop a process at each of them. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** Called where a step begins or is done. Does nothing but where a test provides another. */
export const Checkpoints = Context.Reference<(checkpoint: string) => Effect.Effect<void>>(
  "@geoswap/service/Checkpoints",
  {
    defaultValue: () => () => Effect.void
  }
)

/** Marks a step. */
export const checkpoint = (name: string): Effect.Effect<void> => Effect.flatMap(Checkpoints, (mark) => mark(name))
