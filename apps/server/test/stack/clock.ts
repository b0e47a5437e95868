/** Clocks of a server that a test sets. Sleeping still takes real time. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

const nanosOf = (millis: number): bigint => BigInt(millis) * 1_000_000n

const clockOf = (live: Clock.Clock, now: () => number, monotonic: () => bigint): Clock.Clock => ({
  currentTimeMillisUnsafe: now,
  currentTimeMillis: Effect.sync(now),
  currentTimeNanosUnsafe: () => nanosOf(now()),
  currentTimeNanos: Effect.sync(() => nanosOf(now())),
  monotonicTimeNanosUnsafe: monotonic,
  monotonicTimeNanos: Effect.sync(monotonic),
  sleep: (duration) => live.sleep(duration)
})

/** A clock that stands still until it is set. */
export const stoppedClock = Effect.map(Clock.Clock, (live) => {
  const begin = Date.now()
  const monotonic = live.monotonicTimeNanosUnsafe()
  let now = begin
  return {
    clock: clockOf(
      live,
      () => now,
      () => monotonic + nanosOf(now - begin)
    ),
    set: (millis: number) => {
      now = millis
    },
    now: () => now
  }
})

/** A clock that runs, and can be moved ahead. */
export const movableClock = Effect.map(Clock.Clock, (live) => {
  let ahead = 0
  return {
    clock: clockOf(
      live,
      () => live.currentTimeMillisUnsafe() + ahead,
      () => live.monotonicTimeNanosUnsafe() + nanosOf(ahead)
    ),
    move: (millis: number) => {
      ahead += millis
    }
  }
})
