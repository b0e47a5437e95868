/** What is asked for several times at once, and done once. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/**
 * Runs an effect for all who ask with the same key while it runs. It belongs to none of them: whoever gives up leaves it
 * to the others.
 */
export const make = <A, E>(): ((key: string, effect: Effect.Effect<A, E>) => Effect.Effect<A, E>) => {
  const running = new Map<string, Deferred.Deferred<A, E>>()
  return (key, effect) =>
    Effect.suspend(() => {
      const known = running.get(key)
      if (known !== undefined) return Deferred.await(known)
      const answer = Deferred.makeUnsafe<A, E>()
      running.set(key, answer)
      const work = Effect.flatMap(Effect.exit(effect), (exit) => {
        running.delete(key)
        return Deferred.done(answer, exit)
      })
      return Effect.andThen(Effect.forkDetach(work), Deferred.await(answer))
    })
}
