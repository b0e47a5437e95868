/** The service's metrics, in the Prometheus text format. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import type { Directory } from "../chains/Directory.js"
import type { SwapSignals } from "../concurrency/SwapSignals.js"
import { isTerminal, Kind, states } from "../domain/SwapRecord.js"
import type { Executor } from "../execution/Executor.js"
import { sample } from "../metrics/sampling.js"
import * as Series from "../metrics/series.js"
import type { Store } from "../store/Store.js"
import { sourcesOf } from "./sampledGauges.js"

export interface Options {
  readonly directory: Directory
  readonly store: Store
  readonly signals: Pick<SwapSignals, "waiting">
  readonly executor: Executor
  /** How often to sample the chains. */
  readonly sampleMillis: number
}

/** A separate registry, so two services in the same process do not share metrics. */
export const layerRegistry = Layer.sync(Metric.MetricRegistry, () => new Map())

/** The content type of `text`. */
export const contentType = "text/plain; version=0.0.4; charset=utf-8"

/** Formats the metrics in the registry. Sends no requests. */
export const text = PrometheusMetrics.format()

/** Adds a gauge whose value is read on every scrape. Reading the value must be cheap. */
export const observe = (
  name: string,
  description: string,
  read: () => number,
  attributes: Readonly<Record<string, string>> = {}
) =>
  Effect.map(Effect.context(), (context) =>
    Series.registerGauge(Metric.gauge(name, { description, attributes }), context, read)
  )

/** Initializes all counters to zero. Otherwise, the first increase of a counter would not be visible. */
const initializeCounters = ({ chains }: Directory) =>
  Effect.map(Effect.context(), (context) => {
    const ids = [...chains.keys()].map(String)
    for (const { family, id } of chains.values()) {
      if (family !== "evm") continue
      for (const kind of Kind.literals) Series.spentWei({ chain: String(id), kind }).updateUnsafe(0, context)
    }
    for (const state of states.filter(isTerminal)) {
      Series.swapDuration({ state }).valueUnsafe(context)
      for (const origin of ids) {
        for (const destination of ids) Series.swapsEnded({ state, origin, destination }).updateUnsafe(0, context)
      }
    }
    for (const limit of Series.limitKinds) Series.rateLimited({ limit }).updateUnsafe(0, context)
    for (const cache of Series.cacheResults) Series.indicativeQuotes({ cache }).updateUnsafe(0, context)
    Series.venueUp({}).updateUnsafe(1, context)
    Series.venueRequests({}).updateUnsafe(0, context)
    Series.venueErrors({}).updateUnsafe(0, context)
  })

/**
 * Samples the database every 15 seconds and the chains every `sampleMillis` milliseconds until the scope closes. A value
 * that cannot be read is removed after 2.5 intervals, but not before a minute has passed.
 * `geoswap_sample_age_seconds` reports the age of the samples.
 */
export const watch = Effect.fnUntraced(function* ({ signals, directory, executor, sampleMillis, store }: Options) {
  const context = yield* Effect.context()
  yield* initializeCounters(directory)
  Series.registerGauge(Series.heldRequests({}), context, () => Effect.runSync(signals.waiting))
  Series.registerGauge(Series.executorWorking({}), context, () => Effect.runSync(executor.working))
  yield* Effect.forEach(yield* sourcesOf(directory, store, sampleMillis), sample, { discard: true })
})
