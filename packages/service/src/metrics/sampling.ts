/**
 * Samples gauges whose values require requests to a database or node. Sampling runs in the background, never during a
 * scrape. Values that are too old are removed.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Schema from "effect/Schema"
import { registerGauge, sampleAge } from "./series.js"

/** How often to sample by default, and how soon to sample again if a sample fails. */
const usualMillis = 15_000
/** The timeout for one sample. */
const timeoutMillis = 10_000
/**
 * A value that has not been read for this long is removed, because it may no longer be accurate. Values that are sampled
 * less often are kept for 2.5 intervals.
 */
const staleAfter = (everyMillis: number) => Math.max(60_000, 2.5 * everyMillis)

/**
 * The time until the next check. Checks that have the same interval run at the same time, so that they can share
 * requests.
 */
export const untilNext = (everyMillis: number) =>
  Effect.map(Clock.currentTimeMillis, (now) => everyMillis - (now % everyMillis))

/** A gauge and its value. */
export type Reading = readonly [gauge: Metric.Gauge<number>, value: number]

/** Gauges that are read together. */
export interface Source {
  /** The source's label in the `geoswap_sample_age_seconds` metric. */
  readonly what: string
  readonly read: Effect.Effect<ReadonlyArray<Reading>, { readonly message: string }>
  /** The values to report immediately if the read fails. */
  readonly unread?: ReadonlyArray<Reading> | undefined
  /** How often to sample (default: every 15 seconds). */
  readonly everyMillis?: number | undefined
}

class TooSlow extends Schema.TaggedError<TooSlow>()("TooSlow", { message: Schema.String }) {}

const show = (readings: ReadonlyArray<Reading>, context: Context.Context<never>) => {
  for (const [gauge, value] of readings) gauge.updateUnsafe(value, context)
}

const causeMessage = (cause: Cause.Cause<{ readonly message: string }>) =>
  cause.reasons.find(Cause.isFailReason)?.error.message ?? Cause.pretty(cause)

/** Samples a source until the scope closes. */
export const sample = Effect.fnUntraced(function* ({ everyMillis = usualMillis, read, unread = [], what }: Source) {
  const context = yield* Effect.context()
  let readAt = yield* Clock.currentTimeMillis
  let shown: ReadonlyArray<Reading> = []
  registerGauge(sampleAge({ what }), context, (reader) => {
    const now = Context.get(reader, Clock.Clock).currentTimeMillisUnsafe()
    return Math.max(0, now - readAt) / 1_000
  })
  const drop = () => {
    for (const [gauge] of shown) Metric.removeUnsafe(gauge, context)
    shown = []
  }

  const inTime = Effect.timeoutOrElse(read, {
    duration: timeoutMillis,
    orElse: () => new TooSlow({ message: `there was no response within ${timeoutMillis} ms` })
  })
  const once = Effect.matchCauseEffect(inTime, {
    onSuccess: (readings) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        readAt = now
        drop()
        show(readings, context)
        shown = readings
        return everyMillis
      }),
    onFailure: (cause) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        if (now - readAt > staleAfter(everyMillis)) drop()
        show(unread, context)
        return Effect.as(
          Effect.logDebug(`the gauges for ${what} could not be read: ${causeMessage(cause)}`),
          usualMillis
        )
      })
  })
  // Traces of every sample would drown out more useful traces.
  const samples = Effect.withTracerEnabled(
    once.pipe(Effect.flatMap(untilNext), Effect.flatMap(Effect.sleep), Effect.forever),
    false
  )
  yield* Effect.forkScoped(samples)
})
