/** Removes personal data and third-party error messages from spans before they are exported. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { KeyValue } from "effect/observability/OtlpResource"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import type { TraceData } from "effect/observability/OtlpTracer"

type Span = TraceData["resourceSpans"][number]["scopeSpans"][number]["spans"][number]

/**
 * Attributes that identify the caller, and attributes that the caller chose and that may contain a key. The route is
 * kept.
 */
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

/** Our own errors, whose messages are public. Errors from drivers contain statement values and addresses. */
const ownErrors = new Set([
  "ChainUnavailable",
  "Conflict",
  "Impossible",
  "NoPrice",
  "Refusal",
  "StoreUnavailable",
  "VenueUnavailable"
])

const typeOf = (attributes: ReadonlyArray<KeyValue>) =>
  attributes.find(({ key }) => key === "exception.type")?.value.stringValue ?? ""

/** Error text can be removed without loss, because the log contains the stack trace and all causes. */
const redactSpan = (span: Span) => {
  const thrown = span.events.find(({ name }) => name === "exception")
  const type = thrown && typeOf(thrown.attributes)
  const { message: _, ...status } = span.status
  return {
    ...span,
    attributes: span.attributes.filter(({ key }) => !personal.has(key)),
    events: span.events.map((event) => {
      const isOwn = ownErrors.has(typeOf(event.attributes))
      const isShown = (key: string) => key !== "exception.stacktrace" && (isOwn || key !== "exception.message")
      return { ...event, attributes: event.attributes.filter(({ key }) => isShown(key)) }
    }),
    status: type === undefined || ownErrors.has(type) ? span.status : { ...status, message: type }
  }
}

/** Serializes OTLP as JSON, with redacted spans. */
export const layer = Layer.effect(
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
