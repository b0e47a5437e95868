/** The names of what execution does, one by one: tests stop a process at each of them. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** Called where a step begins or is done. Does nothing but where a test provides another. */
export const Steps = Context.Reference<(step: string) => Effect.Effect<void>>("@geoswap/service/Steps", {
  defaultValue: () => () => Effect.void
})

/** Marks a step. */
export const step = (name: string): Effect.Effect<void> => Effect.flatMap(Steps, (mark) => mark(name))
