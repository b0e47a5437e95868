/** Metrics of the process itself: memory, start time, version and event loop lag. */
import { monitorEventLoopDelay } from "node:perf_hooks"
import { Metrics } from "@geoswap/service"
import * as Effect from "effect/Effect"

/** How finely the event loop is watched, and over what time its lag is told. */
const [resolutionMillis, windowMillis] = [20, 15_000]

/** How late the event loop is: the 99th percentile of the last window. */
const eventLoopLag = Effect.gen(function* () {
  const delays = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const histogram = monitorEventLoopDelay({ resolution: resolutionMillis })
      histogram.enable()
      return histogram
    }),
    (histogram) => Effect.sync(() => histogram.disable())
  )
  // A timer that is not late at all fires after its own time.
  const lag = () => Math.max(0, delays.percentile(99) / 1e6 - resolutionMillis) / 1_000
  let last: number | undefined
  yield* Metrics.observe(
    "nodejs_eventloop_lag_seconds",
    "How late the event loop is, the 99th percentile of 15 seconds.",
    () => last ?? lag()
  )
  const next = Effect.sync(() => {
    last = lag()
    delays.reset()
  })
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(windowMillis), next)))
})

/** Registers the metrics for as long as the scope lasts. */
export const processMetrics = Effect.fnUntraced(function* (version: string) {
  yield* Metrics.observe("process_resident_memory_bytes", "Memory that the process has in use.", () =>
    process.memoryUsage.rss()
  )
  yield* Metrics.observe(
    "process_start_time_seconds",
    "When the process started, in seconds since 1970.",
    () => performance.timeOrigin / 1_000
  )
  yield* Metrics.observe("geoswap_build_info", "Always 1; which version runs.", () => 1, { version })
  yield* eventLoopLag
})
