/** Metrics about the process itself: memory, start time, version and event loop lag. */
import { monitorEventLoopDelay } from "node:perf_hooks"
import { Metrics } from "@geoswap/service"
import * as Effect from "effect/Effect"

/** The interval at which the event loop is sampled, and the length of the window over which its lag is measured. */
const [resolutionMillis, windowMillis] = [20, 15_000]

/** The event loop lag: the 99th percentile over the last window. */
const eventLoopLag = Effect.gen(function* () {
  const delays = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const histogram = monitorEventLoopDelay({ resolution: resolutionMillis })
      histogram.enable()
      return histogram
    }),
    (histogram) => Effect.sync(() => histogram.disable())
  )
  // The histogram's values include the sampling interval, which is not part of the lag.
  const lag = () => Math.max(0, delays.percentile(99) / 1e6 - resolutionMillis) / 1_000
  let last: number | undefined
  yield* Metrics.observe(
    "nodejs_eventloop_lag_seconds",
    "Event loop lag, 99th percentile over 15 seconds.",
    () => last ?? lag()
  )
  const next = Effect.sync(() => {
    last = lag()
    delays.reset()
  })
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(windowMillis), next)))
})

/** Registers the metrics until the scope closes. */
export const processMetrics = Effect.fnUntraced(function* (version: string) {
  yield* Metrics.observe("process_resident_memory_bytes", "Resident memory used by the process.", () =>
    process.memoryUsage.rss()
  )
  yield* Metrics.observe(
    "process_start_time_seconds",
    "Start time of the process, in seconds since 1970.",
    () => performance.timeOrigin / 1_000
  )
  yield* Metrics.observe("geoswap_build_info", "Always 1; the label contains the running version.", () => 1, {
    version
  })
  yield* eventLoopLag
})
