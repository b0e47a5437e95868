/** Ids for flows and claims. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

/** Creates a unique id that sorts by time. */
export const newId: Effect.Effect<string> = Effect.zipWith(
  Clock.currentTimeMillis,
  Random.next,
  (now, random) => `${now}-${Math.floor(random * 1e12)}`
)
