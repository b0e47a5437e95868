/** Spans for functions that are called thousands of times per second. */
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"

/**
 * Wraps a function in a span, but only if a tracer is installed. `Effect.fn` always captures a stack and creates a
 * span, which would take longer than the wrapped functions themselves.
 */
export const withSpanIfTraced =
  <Args extends ReadonlyArray<unknown>, A, E, R>(
    name: string,
    body: (...args: Args) => Effect.Effect<A, E, R>
  ): ((...args: Args) => Effect.Effect<A, E, R>) =>
  (...args) =>
    Effect.withFiber((fiber) =>
      fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer
        ? body(...args)
        : (Effect.withSpan(body(...args), name) as Effect.Effect<A, E, R>)
    )
