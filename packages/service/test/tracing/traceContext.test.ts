import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import { expect } from "vitest"
import * as Trace from "../../src/tracing/traceContext.js"

const traceId = "0af7651916cd43dd8448eb211c80319c"
const spanId = "b7ad6b7169203331"

/** A tracer that records its spans. */
const makeTracer = () => {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  return { spans, tracer }
}

describe("trace context", () => {
  it.effect("continues from a stored value, sampled or not", () =>
    Effect.gen(function* () {
      for (const sampled of [true, false]) {
        const { spans, tracer } = makeTracer()
        const written = yield* Trace.current.pipe(
          Effect.withSpan("submit", { parent: Tracer.externalSpan({ traceId, spanId, sampled }) }),
          Effect.provideService(Tracer.Tracer, tracer)
        )
        expect(written).toBe(`00-${traceId}-${spans[0]?.spanId}-0${Number(sampled)}`)
        expect(Trace.parentOf(written)).toMatchObject({ traceId, spanId: spans[0]?.spanId, sampled })
      }
    })
  )

  it.effect("is stored in full if the caller's trace id has half as many digits", () =>
    Effect.gen(function* () {
      const written = yield* Trace.current.pipe(
        Effect.withSpan("submit", { parent: Tracer.externalSpan({ traceId: traceId.slice(16), spanId }) }),
        Effect.provideService(Tracer.Tracer, makeTracer().tracer)
      )
      expect(Trace.parentOf(written)?.traceId).toBe(`${"0".repeat(16)}${traceId.slice(16)}`)
    })
  )

  it.effect("is not stored without a tracer or a span", () =>
    Effect.gen(function* () {
      expect(yield* Effect.withSpan(Trace.current, "submit")).toBeUndefined()
      const { tracer } = makeTracer()
      expect(yield* Effect.provideService(Trace.current, Tracer.Tracer, tracer)).toBeUndefined()
    })
  )

  it.each([
    undefined,
    "",
    "nonsense",
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId.slice(1)}-${spanId}-01`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId}-${spanId}-0g`,
    `00-${traceId}-${spanId}-01\n`,
    `ff-${traceId}-${spanId}-01`
  ])("ignores %j", (trace) => {
    expect(Trace.parentOf(trace)).toBeUndefined()
  })

  it.effect("has no spans inside withoutSpans, but still a trace id for the log", () =>
    Effect.gen(function* () {
      const { spans, tracer } = makeTracer()
      const inner = Effect.withSpan(Effect.currentSpan, "look")
      const seen = yield* Effect.all([inner, Trace.withoutSpans(inner)]).pipe(
        Effect.withSpan("state"),
        Effect.provideService(Tracer.Tracer, tracer)
      )
      expect(seen.map((span) => [span.traceId === spans[0]?.traceId, span.sampled])).toEqual([
        [true, true],
        [true, false]
      ])
    })
  )
})
