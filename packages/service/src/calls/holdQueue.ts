/** Wakes waiting requests after a fixed time, with one timer for all of them. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Waiter } from "../execution/SwapSignals.js"

export interface HoldQueue {
  /** Wakes the waiter after the time, unless it is removed before. */
  readonly add: (waiter: Waiter) => void
  readonly remove: (waiter: Waiter) => void
}

/** The shortest time between two rounds, so that thousands of waiters do not need thousands of timers. */
const leastMillis = 25

const nowOf = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)

/** Creates a queue. All waiters wait for the same time, so the oldest one is always the next. */
export const make = (millis: number): Effect.Effect<HoldQueue> =>
  Effect.map(Effect.context(), (context) => {
    const run = Effect.runForkWith(context)
    const clock = Context.get(context, Clock.Clock)
    const untilOf = new Map<Waiter, number>()
    let isArmed = false

    const expire = (now: number): void => {
      for (const [waiter, until] of untilOf) {
        if (until > now) break
        untilOf.delete(waiter)
        waiter.wake()
      }
    }
    const arm = (now: number): void => {
      const [next] = untilOf.values()
      isArmed = next !== undefined
      if (next === undefined) return
      run(Effect.andThen(Effect.sleep(Math.max(leastMillis, next - now)), round))
    }
    const round = Effect.sync(() => {
      const now = nowOf(clock)
      expire(now)
      arm(now)
    })

    return {
      add: (waiter) => {
        const now = nowOf(clock)
        untilOf.set(waiter, now + millis)
        if (!isArmed) arm(now)
      },
      remove: (waiter) => void untilOf.delete(waiter)
    }
  })
