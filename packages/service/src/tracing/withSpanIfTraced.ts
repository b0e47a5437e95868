/** Spans for what is called thousands of times in a second: made only where somebody looks at them. */
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"

/**
 * The same function within a span of that name, where a tracer is installed. `Effect.fn` keeps a stack and a span for
 * every call all the same, which costs more than what these functions do.
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
