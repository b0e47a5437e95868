/** Single flight: concurrent calls with the same key share one run. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/**
 * Runs an effect once for all concurrent callers with the same key. The run is detached, so if one caller is
 * interrupted, the others still get the result.
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
