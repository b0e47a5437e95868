/** Spans for effects that return secrets. */
import * as Effect from "effect/Effect"

/** Traces an effect without recording its value in the span's exit, which exporters and debuggers show. */
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
