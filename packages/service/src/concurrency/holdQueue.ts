/** Wakes waiting requests after a fixed time, with one timer for all of them. */
import * as Effect from "effect/Effect"

/** What waits. Plain data, because tens of thousands of requests may wait at once. */
export interface Waiter {
  readonly wake: () => void
}

export interface HoldQueue {
  /** Wakes the waiter after the time, or up to a quarter of a second later, unless it is removed before. */
  readonly add: (waiter: Waiter) => void
  readonly remove: (waiter: Waiter) => void
}

/** The time between two rounds. Thousands of waiters do not need thousands of timers. */
const roundMillis = 250

/** Creates a queue. All waiters wait for the same time, so the oldest one is always the next. */
export const make = (millis: number): Effect.Effect<HoldQueue> =>
  Effect.map(Effect.context(), (context) => {
    const run = Effect.runForkWith(context)
    const rounds = Math.ceil(millis / roundMillis)
    /** The waiters, and the round in which each of them is woken. */
    const dueIn = new Map<Waiter, number>()
    let round = 0
    let isRunning = false

    const wakeDue = (): void => {
      round++
      for (const [waiter, due] of dueIn) {
        if (due > round) break
        dueIn.delete(waiter)
        waiter.wake()
      }
      isRunning = dueIn.size > 0
    }
    const loop: Effect.Effect<void> = Effect.flatMap(
      Effect.andThen(Effect.sleep(roundMillis), Effect.sync(wakeDue)),
      () => (isRunning ? loop : Effect.void)
    )

    return {
      add: (waiter) => {
        // A part of the current round has passed already.
        dueIn.set(waiter, round + rounds + (isRunning ? 1 : 0))
        if (isRunning) return
        isRunning = true
        run(loop)
      },
      remove: (waiter) => void dueIn.delete(waiter)
    }
  })
