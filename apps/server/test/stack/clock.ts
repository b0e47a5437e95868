/** Clocks of a server that a test sets. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
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

/** A clock that stands still until it is set. Sleeping still takes real time. */
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

/** A clock that runs, and can be moved ahead. Sleeping still takes real time. */
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

/** A clock that runs, and can be moved ahead: then everything that sleeps until a time that has passed wakes up. */
export const wakingClock = Effect.map(movableClock, ({ clock, move }) => {
  const sleepers = new Set<() => void>()
  const sleep = (duration: Duration.Duration) =>
    Effect.callback<void>((resume) => {
      const end = clock.currentTimeMillisUnsafe() + Duration.toMillis(duration)
      let timer: NodeJS.Timeout | undefined
      const check = () => {
        clearTimeout(timer)
        const left = end - clock.currentTimeMillisUnsafe()
        if (left > 0) return void (timer = setTimeout(check, Math.min(left, 2 ** 31 - 1)))
        sleepers.delete(check)
        resume(Effect.void)
      }
      sleepers.add(check)
      check()
      return Effect.sync(() => {
        clearTimeout(timer)
        sleepers.delete(check)
      })
    })
  return {
    clock: { ...clock, sleep },
    move: (millis: number) => {
      move(millis)
      for (const check of Array.from(sleepers)) check()
    }
  }
})

/**
 * Shortens the pauses between the polls and retries of a server, so that tests do not wait for them. Its time does not
 * change, and neither do its timeouts, which are longer.
 */
export const hurried = (clock: Clock.Clock): Clock.Clock => ({
  ...clockOf(
    clock,
    () => clock.currentTimeMillisUnsafe(),
    () => clock.monotonicTimeNanosUnsafe()
  ),
  sleep: (duration) => {
    const millis = Duration.toMillis(duration)
    return clock.sleep(millis > 500 && millis < 5_000 ? Duration.millis(millis / 5) : duration)
  }
})
