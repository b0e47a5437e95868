/** Spans for functions that are called thousands of times per second. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Tracer from "effect/Tracer"

const isTraced = (fiber: Fiber.Fiber<unknown, unknown>): boolean => fiber.getRef(Tracer.Tracer) !== Tracer.nativeTracer

/**
 * Wraps a function in a span, but only if a tracer is installed. `Effect.fn` always captures a stack and creates a
 * span, which would take longer than the wrapped functions themselves. Without a tracer, a call inside a fiber calls the
 * function at once, so that a result that is already known stays a plain value.
 */
export const withSpanIfTraced =
  <Args extends ReadonlyArray<unknown>, A, E, R>(
    name: string,
    body: (...args: Args) => Effect.Effect<A, E, R>
  ): ((...args: Args) => Effect.Effect<A, E, R>) =>
  (...args) => {
    const current = Fiber.getCurrent()
    if (current !== undefined && !isTraced(current)) return body(...args)
    return Effect.withFiber((fiber) =>
      isTraced(fiber) ? (Effect.withSpan(body(...args), name) as Effect.Effect<A, E, R>) : body(...args)
    )
  }
