/** Collects concurrent calls into groups, so that the calls in a group can share one database transaction. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"

interface Limits {
  /** The maximum number of calls per group. */
  readonly calls: number
  /** The maximum number of groups that run at once. */
  readonly groups: number
}

/**
 * The limits of groups that write: one at a time, because each has a transaction. PostgreSQL has room for a few thousand
 * locks, and each acceptance takes up to thirteen: of its order, its nonce, and the resources of its claims.
 */
const forWrites: Limits = { calls: 64, groups: 1 }

interface Waiting<A, B, E> {
  readonly call: A
  readonly resume: (effect: Effect.Effect<B, E>) => void
  readonly context: Context.Context<never>
}

/**
 * Creates a grouped call. The calls that arrive while the maximum number of groups is running form the next group. Any
 * other call waits only for the rest of the current turn of the event loop.
 *
 * A group runs in a separate fiber, so it is not interrupted with one of its callers. It uses the services of its first
 * caller.
 */
export const make = <A, B, E>(
  run: (calls: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<Exit.Exit<B, E>>>,
  { calls: maxCalls, groups: maxGroups }: Limits = forWrites
): ((call: A) => Effect.Effect<B, E>) => {
  const waiting = new Set<Waiting<A, B, E>>()
  let running = 0

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
    running--
  })

  return (call) =>
    Effect.flatMap(Effect.context(), (context) =>
      Effect.callback<B, E>((resume) => {
        const one = { call, resume, context }
        waiting.add(one)
        if (running < maxGroups) {
          running++
          // More calls may arrive in the rest of this turn of the event loop.
          Effect.runFork(Effect.andThen(Effect.yieldNow, runAll))
        }
        return Effect.sync(() => waiting.delete(one))
      })
    )
}
