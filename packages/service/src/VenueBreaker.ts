/** A circuit breaker: a venue that fails again and again is left alone for a while, so that nobody waits for it. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Shape, VenueUnavailable } from "./Venue.js"

export interface Options {
  /** How many failures in a row open it; 5 where absent. */
  readonly failures?: number | undefined
  /** How long nobody asks then; 5 s where absent. */
  readonly restMillis?: number | undefined
}

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

  return {
    price: (input, output, amount) =>
      Effect.flatMap(Clock.monotonicTimeNanos, (now) => {
        if (opensAt !== undefined && (now < opensAt || isTried)) return Effect.fail(resting())
        const isTrial = opensAt !== undefined
        if (isTrial) isTried = true
        return venue.price(input, output, amount).pipe(
          Effect.tapError((error) =>
            Effect.map(Clock.monotonicTimeNanos, (failedAt) => {
              if (error._tag === "NoPrice") [inRow, opensAt] = [0, undefined]
              else if (++inRow >= failures || isTrial) opensAt = failedAt + rest
            })
          ),
          Effect.tap(() => Effect.sync(() => void ([inRow, opensAt] = [0, undefined]))),
          Effect.ensuring(Effect.sync(() => isTrial && (isTried = false)))
        )
      })
  }
}
