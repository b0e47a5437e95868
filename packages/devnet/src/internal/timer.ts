/** Timers on the machine's own clock: a chain goes on while a test holds Effect's. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** Waits on the machine's clock. */
export const pause = (millis: number): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const timer = setTimeout(() => resume(Effect.void), millis)
    return Effect.sync(() => clearTimeout(timer))
  })

/** Does something again and again until the scope ends, each time so long after the last was done. */
export const every = (millis: number, task: () => Effect.Effect<void>): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.sync(() => {
        const state: { timer?: NodeJS.Timeout; ended: boolean } = { ended: false }
        let due = performance.now()
        const next = () => {
          // Counted from when it was due, so that what a task takes does not slow the chain down.
          due = Math.max(due + millis, performance.now())
          state.timer = setTimeout(
            () =>
              void Effect.runPromise(task())
                // A chain that stumbles goes on: whoever runs in this process must not end with it.
                .catch((error: unknown) => process.emitWarning(`A step of the devnet failed: ${String(error)}`))
                .finally(() => {
                  if (!state.ended) next()
                }),
            Math.max(0, due - performance.now())
          )
        }
        next()
        return state
      }),
      (state) =>
        Effect.sync(() => {
          state.ended = true
          clearTimeout(state.timer)
        })
    )
  )
