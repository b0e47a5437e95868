/** Spans for effects that return secrets. */
import * as Effect from "effect/Effect"

/**
 * Traces an effect without recording the effect's result in the span, because exporters and debuggers show the result
 * that a span records.
 */
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
