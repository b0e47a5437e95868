/** Caches reads by key for a short time. A cached value is returned at once, without work on a fiber. */
import type * as Clock from "effect/Clock"
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

/** Returns the value of a key, and reads it if it is not cached. */
export type WarmReads<A, E> = (key: string, read: () => Effect.Effect<A, E>) => Effect.Effect<A, E>

/**
 * Creates a cache. Concurrent readers share one request, which continues even if one of them is interrupted. Failures are
 * not cached.
 */
export const make = <A, E>(clock: Clock.Clock, { capacity, ttlMillis }: Options): WarmReads<A, E> => {
  const ttl = BigInt(ttlMillis) * 1_000_000n
  const entries = new Map<string, Entry<A>>()
  const share = SingleFlight.make<A, E>()

  const warm = (key: string): Effect.Effect<A> | undefined => {
    const entry = entries.get(key)
    return entry !== undefined && clock.monotonicTimeNanosUnsafe() < entry.until ? entry.value : undefined
  }
  const store = (key: string, value: A): void => {
    const now = clock.monotonicTimeNanosUnsafe()
    entries.delete(key)
    entries.set(key, { value: Effect.succeed(value), until: now + ttl })
    // The oldest entries come first.
    for (const [oldest, { until }] of entries) {
      if (now < until && entries.size <= capacity) break
      entries.delete(oldest)
    }
  }

  return (key, read) => {
    const readAndStore = () => Effect.tap(read(), (value) => Effect.sync(() => store(key, value)))
    return warm(key) ?? Effect.suspend(() => warm(key) ?? share(key, Effect.suspend(readAndStore)))
  }
}
