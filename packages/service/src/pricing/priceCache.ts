/** Caches the prices of indicative quotes for a few seconds, in memory of limited size, and counts hits and misses. */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as WarmReads from "../concurrency/warmReads.js"
import { indicativeQuotes } from "../metrics/series.js"

/** How long a price is used, unless its key contains something that changes sooner, such as a block. */
const ttlMillis = 3_000
const capacity = 10_000

const [hit, miss] = [indicativeQuotes({ cache: "hit" }), indicativeQuotes({ cache: "miss" })]

export const make = <A, E>(clock: Clock.Clock) => {
  const cache = WarmReads.make<A, E>(clock, { capacity, ttlMillis })
  return (key: string, compute: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      let isHit = true
      const price = cache(key, () => {
        isHit = false
        return Effect.andThen(Metric.update(miss, 1), compute)
      })
      return Effect.tap(price, () => (isHit ? Metric.update(hit, 1) : Effect.void))
    })
}
