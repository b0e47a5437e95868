/** Spans for what gives back something secret. */
import * as Effect from "effect/Effect"

/** A traced effect whose value is not in the span's exit: exporters and debuggers show that. */
export const redactedSpan =
  (name: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      let value: A
      const kept = Effect.map(effect, (given) => {
        value = given
      })
      return Effect.map(Effect.withSpan(kept, name), () => value)
    })
