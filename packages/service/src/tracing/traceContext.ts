/**
 * Trace context. A submit call stores the trace context with the swap, so the execution continues the same trace in any
 * process.
 */
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as HttpTraceContext from "effect/http/HttpTraceContext"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"

/** The current span as a W3C `traceparent`, or `undefined` if no tracer is installed. */
export const current: Effect.Effect<string | undefined> = Effect.withFiber((fiber) => {
  const { span } = fiber.cache
  return Effect.succeed(
    span?._tag !== "Span" || fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer
      ? undefined
      : HttpTraceContext.toHeaders(span)["traceparent"]
  )
})

/** Parses a stored `traceparent`. Returns `undefined` if the `traceparent` is missing or invalid. */
export const parentOf = (trace: string | undefined): Tracer.ExternalSpan | undefined =>
  trace === undefined
    ? undefined
    : Option.getOrUndefined(HttpTraceContext.w3c(Headers.fromInput({ traceparent: trace })))

/**
 * Runs an effect without spans, for recurring work. Logs keep their trace, which they would lose if the tracer were
 * disabled.
 */
export const withoutSpans: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.provideService(
  Tracer.MinimumTraceLevel,
  "None"
)
