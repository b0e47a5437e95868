/** Caches reads by key for a short time. A cached value is returned at once, without work on a fiber. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as SingleFlight from "./singleFlight.js"

export interface Options {
  /** How long a value is cached after it was read. */
  readonly ttlMillis: number
  /** The maximum number of values. The oldest ones are dropped. */
  readonly capacity: number
}

interface Entry<A> {
  readonly value: Effect.Effect<A>
  readonly until: bigint
}

/** Creates a cache. Concurrent readers share one request. Failures are not cached. */
export const make = <A, E>(
  read: (key: string) => Effect.Effect<A, E>,
  { capacity, ttlMillis }: Options
): Effect.Effect<(key: string) => Effect.Effect<A, E>> =>
  Effect.map(Clock.Clock, (clock) => {
    const ttl = BigInt(ttlMillis) * 1_000_000n
    const entries = new Map<string, Entry<A>>()
    const share = SingleFlight.make<A, E>()

    const warm = (key: string): Effect.Effect<A> | undefined => {
      const entry = entries.get(key)
      return entry !== undefined && clock.monotonicTimeNanosUnsafe() < entry.until ? entry.value : undefined
    }
    const store = (key: string, value: A): void => {
      entries.delete(key)
      entries.set(key, { value: Effect.succeed(value), until: clock.monotonicTimeNanosUnsafe() + ttl })
      const [oldest] = entries.size > capacity ? entries.keys() : []
      if (oldest !== undefined) entries.delete(oldest)
    }
    const readAndStore = (key: string) => Effect.tap(read(key), (value) => Effect.sync(() => store(key, value)))

    return (key) => warm(key) ?? Effect.suspend(() => warm(key) ?? share(key, readAndStore(key)))
  })
