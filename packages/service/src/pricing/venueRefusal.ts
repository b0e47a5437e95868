/** Refusals for calls that need a price. */
import * as Effect from "effect/Effect"
import { type Refusal, refuse } from "../domain/Refusal.js"
import type { NoPrice, VenueUnavailable } from "../venue/Venue.js"

/** Returns the refusal for a venue that has no price or does not respond. The venue's error message is only logged. */
export const venueRefusal = (error: NoPrice | VenueUnavailable): Effect.Effect<never, Refusal> =>
  error._tag === "NoPrice"
    ? Effect.fail(refuse("NO_ROUTE", "There is no price for this pair. Use another token."))
    : Effect.andThen(
        Effect.logWarning(error.message),
        Effect.fail(
          refuse(
            error.timeout ? "UPSTREAM_TIMEOUT" : "UNAVAILABLE",
            "No prices are available at the moment. Try again in a few seconds.",
            { retryAfter: 2 }
          )
        )
      )
