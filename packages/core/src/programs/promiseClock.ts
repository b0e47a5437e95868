/** The clock of a client for code without Effect. */
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** A clock, for tests. `virtualClock()` from `@geoswap/core/testing/promise` is one. */
export interface PromiseClock {
  /** Returns the current time, in Unix milliseconds. The time never decreases. */
  readonly now: () => number
  /** Waits for a number of milliseconds. Rejects with the signal's abort reason if the wait is no longer needed. */
  readonly sleep: (millis: number, abort?: { readonly signal: AbortSignal }) => Promise<void>
}

/** Creates a clock for Effect programs. A `sleep` that rejects is a defect of the program that waits. */
export const clockFromPromise = (clock: PromiseClock): Clock.Clock => {
  const millis = () => clock.now()
  const nanos = () => BigInt(Math.trunc(clock.now())) * 1_000_000n
  return {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: (duration) => Effect.promise((signal) => clock.sleep(Duration.toMillis(duration), { signal }))
  }
}
