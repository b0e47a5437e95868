/** A circuit breaker: a venue that fails again and again is left alone for a while, so that nobody waits for it. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import { venueErrors, venueRequests, venueUp } from "./internal/metrics/series.js"
import { type Shape, VenueUnavailable } from "./Venue.js"

export interface Options {
  /** How many failures in a row open it; 5 where absent. */
  readonly failures?: number | undefined
  /** How long nobody asks then; 5 s where absent. */
  readonly restMillis?: number | undefined
}

const [errors, requests, up] = [venueErrors({}), venueRequests({}), venueUp({})]

/** The same venue behind a breaker. After its rest one request tries, and the others go on once that was answered. */
export const make = (venue: Shape, { failures = 5, restMillis = 5_000 }: Options = {}): Shape => {
  const rest = BigInt(restMillis) * 1_000_000n
  let inRow = 0
  let opensAt: bigint | undefined
  let isTried = false

  const resting = () =>
    new VenueUnavailable({
      message: `The venue failed ${inRow} times in a row, and is left alone for a few seconds.`,
      timeout: false
    })

  const answered = Effect.suspend(() => {
    inRow = 0
    opensAt = undefined
    return Metric.update(up, 1)
  })

  const failed = Effect.gen(function* () {
    yield* Metric.update(errors, 1)
    if (++inRow < failures) return
    opensAt = (yield* Clock.monotonicTimeNanos) + rest
    yield* Metric.update(up, 0)
  })

  return {
    price: (input, output, amount) =>
      Effect.flatMap(Clock.monotonicTimeNanos, (now) => {
        if (opensAt !== undefined && (now < opensAt || isTried)) return Effect.fail(resting())
        const isTrial = opensAt !== undefined
        if (isTrial) isTried = true
        return Metric.update(requests, 1).pipe(
          Effect.andThen(venue.price(input, output, amount)),
          // No price is an answer too.
          Effect.tapError((error) => (error._tag === "NoPrice" ? answered : failed)),
          Effect.tap(() => answered),
          Effect.ensuring(Effect.sync(() => isTrial && (isTried = false)))
        )
      })
  }
}
