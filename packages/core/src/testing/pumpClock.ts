/** Runs an effect on a test clock that advances until the effect has finished. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/**
 * Runs an effect while a test clock advances. `advance` moves the clock by one step. The effect dies if it is still
 * running after `maxSteps` steps (default: 14,400, which is one hour in steps of 250 ms).
 *
 * @example
 * ```ts
 * const swap = yield* pumpClock(Client.execute(request), TestClock.adjust(250))
 * ```
 */
export const pumpClock = <A, E, R, R2>(
  effect: Effect.Effect<A, E, R>,
  advance: Effect.Effect<void, never, R2>,
  { maxSteps = 14_400 } = {}
): Effect.Effect<A, E, R | R2> =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    for (let step = 0; fiber.pollUnsafe() === undefined; step++) {
      if (step === maxSteps) return yield* Effect.die(new Error(`The effect is still running after ${maxSteps} steps.`))
      yield* advance
    }
    return yield* Fiber.join(fiber)
  })
