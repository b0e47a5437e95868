/** Spans of effects that return secrets. */
import * as Effect from "effect/Effect"

/** Traces an effect without its value in the exit of the span, which exporters and debuggers show. */
export const redactedSpan =
  (name: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      let value: A
      const redacted = Effect.map(effect, (result) => {
        value = result
      })
      return Effect.map(Effect.withSpan(redacted, name), () => value)
    })
