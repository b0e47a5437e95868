/** One trace from quote to end: what a submit writes down, and what execution goes on with, in whatever process. */
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as HttpTraceContext from "effect/http/HttpTraceContext"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"

/** The current span as a W3C `traceparent`; none where nobody looks at spans. */
export const current: Effect.Effect<string | undefined> = Effect.withFiber((fiber) => {
  const { span } = fiber.cache
  return Effect.succeed(
    span?._tag !== "Span" || fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer
      ? undefined
      : HttpTraceContext.toHeaders(span)["traceparent"]
  )
})

/** The span that a stored `traceparent` names. What is no `traceparent` names none: it may be anybody's words. */
export const parentOf = (trace: string | undefined): Tracer.ExternalSpan | undefined =>
  trace === undefined
    ? undefined
    : Option.getOrUndefined(HttpTraceContext.w3c(Headers.fromInput({ traceparent: trace })))

/**
 * Without spans of their own, for what is done over and over. The log goes on with the trace, which it would lose with
 * a tracer that is turned off.
 */
export const withoutSpans: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.provideService(
  Tracer.MinimumTraceLevel,
  "None"
)
