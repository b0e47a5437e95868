/** What all calls share: a span if a tracer is installed, and a refusal if something that they need is unavailable. */
import * as Effect from "effect/Effect"
import type { ChainUnavailable } from "../chains/ChainError.js"
import { chainRefusal } from "../chains/chainRefusal.js"
import { type Refusal, refuse } from "../domain/Refusal.js"
import type { StoreUnavailable } from "../store/StoreError.js"
import { storeRefusal } from "../store/storeRefusal.js"
import { withSpanIfTraced } from "../tracing/withSpanIfTraced.js"
import type { NoPrice, VenueUnavailable } from "../venue/Venue.js"

/** Why a call fails. Its caller sees only refusals. */
export type Failure = Refusal | ChainUnavailable | StoreUnavailable | NoPrice | VenueUnavailable

const refusalOf = (error: Failure): Effect.Effect<never, Refusal> => {
  switch (error._tag) {
    case "Refusal":
      return Effect.fail(error)
    case "ChainUnavailable":
      return Effect.fail(chainRefusal(error))
    case "StoreUnavailable":
      return Effect.fail(storeRefusal())
    case "NoPrice":
      return Effect.fail(refuse("NO_ROUTE", "There is no price for this pair. Use another token."))
    case "VenueUnavailable":
      // The venue's error message is only logged.
      return Effect.andThen(
        Effect.logWarning(error.message),
        Effect.fail(
          refuse(
            error.timeout ? "UPSTREAM_TIMEOUT" : "UNAVAILABLE",
            "No prices are available at the moment. Try again in a few seconds.",
            { retryAfter: 2 }
          )
        )
      )
  }
}

/** Creates a call from the function that answers it. */
export const call = <Args extends ReadonlyArray<unknown>, A>(
  name: string,
  answer: (...args: Args) => Effect.Effect<A, Failure>
): ((...args: Args) => Effect.Effect<A, Refusal>) =>
  withSpanIfTraced(name, (...args) => Effect.catchEager(answer(...args), refusalOf))
