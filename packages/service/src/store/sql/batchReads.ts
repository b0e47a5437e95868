/** Batches concurrent reads of a few rows into one statement. */
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"

type Resume<A, E> = (effect: Effect.Effect<ReadonlyArray<A>, E>) => void

/** The maximum number of ids per statement, and the maximum number of concurrent statements. */
const maxIds = 500
const maxStatements = 2

/**
 * Creates a batched read. Without batching, thousands of requests that wake up at once would each wait for one of ten
 * connections. A batch starts only after its reads have been requested, so its results are as fresh as those of
 * separate reads. The limit on concurrent statements, which Effect's `RequestResolver` does not support, keeps
 * connections free for other work.
 */
export const make = <A, E>(
  read: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<A>, E>,
  idOf: (row: A) => string
): ((id: string) => Effect.Effect<ReadonlyArray<A>, E>) => {
  const waiting = new Map<string, Set<Resume<A, E>>>()
  let running = 0
  let scheduled = false

  const take = (): ReadonlyMap<string, Set<Resume<A, E>>> => {
    const taken = new Map<string, Set<Resume<A, E>>>()
    for (const [id, group] of waiting) {
      if (taken.size === maxIds) break
      taken.set(id, group)
      waiting.delete(id)
    }
    return taken
  }
  const complete = (taken: ReturnType<typeof take>, exit: Exit.Exit<ReadonlyArray<A>, E>): void => {
    const found = new Map<string, Array<A>>()
    for (const row of exit._tag === "Success" ? exit.value : []) {
      found.set(idOf(row), [...(found.get(idOf(row)) ?? []), row])
    }
    for (const [id, group] of taken) {
      const answer = exit._tag === "Success" ? Effect.succeed(found.get(id) ?? []) : Effect.failCause(exit.cause)
      for (const resume of group) resume(answer)
    }
  }
  const runBatches = (): void => {
    scheduled = false
    while (running < maxStatements && waiting.size > 0) {
      const taken = take()
      running++
      run(
        Effect.map(Effect.exit(read([...taken.keys()])), (exit) => {
          running--
          complete(taken, exit)
          runBatches()
        })
      )
    }
  }

  return (id) =>
    Effect.callback((resume) => {
      const group = waiting.get(id) ?? new Set()
      waiting.set(id, group.add(resume))
      if (!scheduled && running < maxStatements) {
        scheduled = true
        // Run the batch after the rest of this event loop turn, during which more reads may be requested.
        run(Effect.andThen(Effect.yieldNow, Effect.sync(runBatches)))
      }
      return Effect.sync(() => {
        group.delete(resume)
        if (group.size === 0 && waiting.get(id) === group) waiting.delete(id)
      })
    })
}

/**
 * Runs an effect detached from any request, so that it belongs to no trace and is not interrupted when a caller is
 * interrupted.
 */
const run = (effect: Effect.Effect<void>): void => void Effect.runFork(Effect.withTracerEnabled(effect, false))
