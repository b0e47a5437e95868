/** Names of flows and of their owners. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

/** A name that no one else has, which sorts by its time. */
export const newId: Effect.Effect<string> = Effect.zipWith(
  Clock.currentTimeMillis,
  Random.next,
  (now, random) => `${now}-${Math.floor(random * 1e12)}`
)
