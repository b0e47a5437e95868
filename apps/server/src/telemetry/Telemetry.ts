/** Sends traces and logs to an OpenTelemetry collector, if the environment variables name one. */
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as OtlpExporter from "effect/observability/OtlpExporter"
import * as OtlpLogger from "effect/observability/OtlpLogger"
import * as OtlpTracer from "effect/observability/OtlpTracer"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import * as Collector from "./collector.js"
import * as RedactSpans from "./redactSpans.js"
import { InvalidTelemetry, read, type Settings, type Target } from "./settings.js"

export { InvalidTelemetry, read }
export type { Settings, Target }

const intervalMillis = 1_000
const maxBatchSize = 512
/** How long the shutdown waits for the remaining traces to be sent, and then for the remaining logs. */
const flushMillis = 2_000

/**
 * Samples traces. A trace starts only with a request or with a swap, never with the server's periodic work. Spans with
 * a parent are sampled like their parent.
 */
const sampled = (tracer: Tracer.Tracer, share: number) => {
  const begins = (kind: Tracer.SpanKind) => (kind === "server" || kind === "consumer") && Math.random() < share
  return Tracer.make({
    span: (options) =>
      tracer.span(
        Option.isSome(options.parent) ? options : { ...options, sampled: options.sampled && begins(options.kind) }
      )
  })
}

/** Whether the URL is a health check, which load balancers request every few seconds. */
const isHealth = ({ url }: { readonly url: string }) => url.startsWith("/health/")

/**
 * Sends traces and logs until the layer is released, and then flushes the remaining data. Other loggers keep working.
 */
export const layer = ({ logs, resource, share, traces }: Settings, version: string) => {
  const attributes = { "service.version": version, "service.instance.id": crypto.randomUUID(), ...resource }
  const options = ({ url }: Target) => ({
    url,
    resource: { attributes },
    exportInterval: intervalMillis,
    maxBatchSize,
    shutdownTimeout: flushMillis
  })
  const tracer =
    traces &&
    Layer.effect(
      Tracer.Tracer,
      Effect.map(OtlpTracer.make(options(traces)), (made) => sampled(made, share))
    ).pipe(Layer.provide(Collector.layer("traces", traces)))
  const logger =
    logs &&
    Logger.layer([OtlpLogger.make(options(logs))], { mergeWithExisting: true }).pipe(
      Layer.provide(Collector.layer("logs", logs))
    )
  return Layer.mergeAll(
    tracer ?? Layer.empty,
    logger ?? Layer.empty,
    Layer.succeed(HttpMiddleware.TracerDisabledWhen, isHealth)
  ).pipe(
    Layer.provide([
      RedactSpans.layer,
      OtlpExporter.layerFlusher,
      // The variables have already been validated. An invalid variable would be a defect here.
      ConfigProvider.layer(ConfigProvider.fromUnknown({}))
    ])
  )
}
