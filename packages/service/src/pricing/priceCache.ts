/** Caches the prices of indicative quotes for a few seconds, in memory of limited size. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as SingleFlight from "../concurrency/singleFlight.js"
import { indicativeQuotes } from "../metrics/series.js"

/** How long a price is used, unless its key contains something that changes sooner, such as a block. */
const maxAgeNanos = 3_000_000_000n
/** The maximum number of prices. The oldest ones are dropped. */
const capacity = 10_000

const [hit, miss] = [indicativeQuotes({ cache: "hit" }), indicativeQuotes({ cache: "miss" })]

interface Entry<A> {
  readonly value: A
  readonly until: bigint
}

/**
 * Creates a cache. Concurrent calls with the same key share one computation, which continues even if one of the callers
 * is interrupted. Failures are not cached.
 */
export const make = <A, E>(): ((key: string, compute: Effect.Effect<A, E>) => Effect.Effect<A, E>) => {
  const entries = new Map<string, Entry<A>>()
  const share = SingleFlight.make<A, E>()

  const store = (key: string, value: A) =>
    Effect.map(Clock.monotonicTimeNanos, (now) => {
      entries.delete(key)
      entries.set(key, { value, until: now + maxAgeNanos })
      const [oldest] = entries.size > capacity ? entries.keys() : []
      if (oldest !== undefined) entries.delete(oldest)
    })

  return (key, compute) =>
    Effect.flatMap(Clock.monotonicTimeNanos, (now) => {
      const entry = entries.get(key)
      if (entry !== undefined && now < entry.until) return Effect.as(Metric.update(hit, 1), entry.value)
      let isFirst = false
      const computed = Effect.suspend(() => {
        isFirst = true
        return Metric.update(miss, 1).pipe(
          Effect.andThen(compute),
          Effect.tap((value) => store(key, value))
        )
      })
      return Effect.tap(share(key, computed), () => (isFirst ? Effect.void : Metric.update(hit, 1)))
    })
}
