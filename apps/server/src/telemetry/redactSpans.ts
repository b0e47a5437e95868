/** What leaves this process in spans: nothing that names a person, and no words that nobody chose. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { KeyValue } from "effect/observability/OtlpResource"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import type { TraceData } from "effect/observability/OtlpTracer"

type Span = TraceData["resourceSpans"][number]["scopeSpans"][number]["spans"][number]

/** Who calls, and what callers put into paths and `Host`, where a key may be by mistake. The route is there. */
const personal = new Set([
  "client.address",
  "server.address",
  "server.port",
  "url.fragment",
  "url.full",
  "url.path",
  "url.query",
  "user_agent.original"
])

/** Errors of ours, whose words are for everybody. Those of drivers hold values of statements, and addresses. */
const ownErrors = new Set([
  "ChainUnavailable",
  "Conflict",
  "Impossible",
  "NoPrice",
  "Refusal",
  "StoreUnavailable",
  "VenueUnavailable"
])

/** Where in our code it was is in the log, with all the causes. */
const errorText = new Set(["exception.message", "exception.stacktrace"])

const typeOf = (attributes: ReadonlyArray<KeyValue>): string =>
  attributes.find(({ key }) => key === "exception.type")?.value.stringValue ?? ""

const redactSpan = (span: Span): Span => {
  const failed = span.events.filter(({ name }) => name === "exception").map(({ attributes }) => typeOf(attributes))
  const [first] = failed
  const { message: _, ...status } = span.status
  return {
    ...span,
    attributes: span.attributes.filter(({ key }) => !personal.has(key)),
    events: span.events.map((event) => {
      if (event.name !== "exception") return event
      const withheld = (key: string) => key === "exception.stacktrace" || !ownErrors.has(typeOf(event.attributes))
      return { ...event, attributes: event.attributes.filter(({ key }) => !errorText.has(key) || !withheld(key)) }
    }),
    status: first === undefined || ownErrors.has(first) ? span.status : { ...status, message: first }
  }
}

/** OTLP as JSON, after that. */
export const layer: Layer.Layer<OtlpSerialization.OtlpSerialization> = Layer.effect(
  OtlpSerialization.OtlpSerialization,
  Effect.map(OtlpSerialization.OtlpSerialization, (json) => ({
    ...json,
    traces: ({ resourceSpans }: TraceData) =>
      json.traces({
        resourceSpans: resourceSpans.map((resource) => ({
          ...resource,
          scopeSpans: resource.scopeSpans.map((scope) => ({ ...scope, spans: scope.spans.map(redactSpan) }))
        }))
      })
  }))
).pipe(Layer.provide(OtlpSerialization.layerJson))
