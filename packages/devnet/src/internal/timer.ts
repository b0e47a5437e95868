/** Timers that use the system clock, so that a chain continues while a test pauses Effect's clock. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** Waits, using the system clock. */
export const pause = (millis: number): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const timer = setTimeout(() => resume(Effect.void), millis)
    return Effect.sync(() => clearTimeout(timer))
  })

/** Runs a task at an interval until the scope closes. Runs of the task never overlap. */
export const every = (millis: number, task: () => Effect.Effect<void>): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.sync(() => {
        const state: { timer?: NodeJS.Timeout; ended: boolean } = { ended: false }
        let due = performance.now()
        const next = () => {
          // The interval is measured from the time when the task was due, so that slow tasks do not slow down the
          // chain.
          due = Math.max(due + millis, performance.now())
          state.timer = setTimeout(
            () =>
              void Effect.runPromise(task())
                // An error must not crash the host process. The chain continues after an error.
                .catch((error: unknown) => process.emitWarning(`A devnet timer task failed: ${String(error)}`))
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
