/** Collects concurrent calls into groups, so that the calls in a group can share one database transaction. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"

/**
 * The maximum number of calls per group. PostgreSQL has room for a few thousand locks, and each acceptance takes up to
 * thirteen: of its order, its nonce, and the resources of its claims.
 */
const maxCalls = 64

interface Waiting<A, B, E> {
  readonly call: A
  readonly resume: (effect: Effect.Effect<B, E>) => void
  readonly context: Context.Context<never>
}

/**
 * Creates a grouped call. One group runs at a time, and the calls that arrive in the meantime form the next group. A
 * call that arrives while no group is running waits only for the rest of the current turn of the event loop.
 *
 * A group runs in a separate fiber, so it is not interrupted with one of its callers. It uses the services of its first
 * caller.
 */
export const make = <A, B, E>(
  run: (calls: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<Exit.Exit<B, E>>>
): ((call: A) => Effect.Effect<B, E>) => {
  const waiting = new Set<Waiting<A, B, E>>()
  let isRunning = false

  const take = (): ReadonlyArray<Waiting<A, B, E>> => {
    const taken: Array<Waiting<A, B, E>> = []
    for (const one of waiting) {
      if (taken.length === maxCalls) break
      taken.push(one)
      waiting.delete(one)
    }
    return taken
  }
  const complete = (group: ReadonlyArray<Waiting<A, B, E>>, exit: Exit.Exit<ReadonlyArray<Exit.Exit<B, E>>>): void => {
    for (const [index, { resume }] of group.entries()) {
      const result = exit._tag === "Success" ? exit.value[index] : Effect.failCause(exit.cause)
      resume(result ?? Effect.die(new Error("The group returned no result for one of its calls.")))
    }
  }
  /** Runs groups one after the other, until no call waits. A loop, because callers that continue at once may call again. */
  const runAll = Effect.gen(function* () {
    for (let group = take(); group.length > 0; group = take()) {
      const [{ context }] = group as readonly [Waiting<A, B, E>]
      complete(group, yield* Effect.exit(Effect.provideContext(run(group.map(({ call }) => call)), context)))
    }
    isRunning = false
  })

  return (call) =>
    Effect.flatMap(Effect.context(), (context) =>
      Effect.callback<B, E>((resume) => {
        const one = { call, resume, context }
        waiting.add(one)
        if (!isRunning) {
          isRunning = true
          // More calls may arrive in the rest of this turn of the event loop.
          Effect.runFork(Effect.andThen(Effect.yieldNow, runAll))
        }
        return Effect.sync(() => waiting.delete(one))
      })
    )
}
