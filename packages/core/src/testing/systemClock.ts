/** The system's clock, or the one that a test framework has replaced it with. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { PromiseClock } from "../programs/promiseClock.js"

export const systemClock: PromiseClock = {
  now: () => Effect.runSync(Clock.currentTimeMillis),
  sleep: (millis, abort) => Effect.runPromise(Effect.sleep(millis), abort)
}
