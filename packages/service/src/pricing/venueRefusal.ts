/** What the failures of chains and venues mean for who asked for a quote. */
import * as Effect from "effect/Effect"
import { refuse, type Refusal } from "../Refusal.js"
import type { NoPrice, VenueUnavailable } from "../venue/Venue.js"

/** The venue has no price, or does not answer. What it said is for the log: it is none of the caller's business. */
export const venueRefusal = (error: NoPrice | VenueUnavailable): Effect.Effect<never, Refusal> =>
  error._tag === "NoPrice"
    ? Effect.fail(refuse("NO_ROUTE", "There is no price for this pair: ask for another token."))
    : Effect.andThen(
        Effect.logWarning(error.message),
        Effect.fail(
          refuse(
            error.timeout ? "UPSTREAM_TIMEOUT" : "UNAVAILABLE",
            "There are no prices to be had at the moment. Try again in a few seconds.",
            { retryAfter: 2 }
          )
        )
      )
