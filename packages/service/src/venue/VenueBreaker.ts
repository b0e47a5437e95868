/**
 * A circuit breaker, which stops requests to a failing venue for a while, so that callers do not have to wait for it.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type { Asset } from "../domain/Asset.js"
import { venueErrors, venueRequests, venueUp } from "../metrics/series.js"
import { VenueUnavailable, type Venue } from "./Venue.js"

/** How many consecutive failures open the circuit. */
const failures = 5
/** How long the circuit stays open, in nanoseconds. */
const openNanos = 5_000_000_000n

const [errors, requests, up] = [venueErrors({}), venueRequests({}), venueUp({})]

/** The circuit for one pair of tokens. It is open while `retryAt` is set. */
interface Circuit {
  failuresInRow: number
  retryAt: bigint | undefined
  isProbing: boolean
}

const pairKey = (input: Asset, output: Asset) => `${input.chainId} ${input.address} ${output.chainId} ${output.address}`

/**
 * Wraps a venue with a circuit breaker for each pair of tokens, so that a failing pair does not affect other pairs.
 * After 5 seconds, one request is sent to probe the venue. Once the venue has responded to it, requests are sent as
 * usual.
 */
export const make = (venue: Venue): Venue => {
  // The map contains only failing pairs, so it has at most as many entries as there are pairs of configured tokens.
  const failing = new Map<string, Circuit>()

  const circuitOpen = ({ failuresInRow }: Circuit) =>
    new VenueUnavailable({
      message: `The venue has failed ${failuresInRow} times in a row for this pair. Try again in a few seconds.`,
      timeout: false
    })

  const answered = (key: string) =>
    Effect.suspend(() => {
      failing.delete(key)
      return Metric.update(up, 1)
    })

  const failed = Effect.fnUntraced(function* (key: string, { ofRequest }: VenueUnavailable) {
    yield* Metric.update(errors, 1)
    // A failure that may affect only this request does not open the circuit. Otherwise, a caller could block a pair for
    // all other callers by sending amounts that have no price.
    if (ofRequest === true) return
    const circuit = failing.get(key) ?? { failuresInRow: 0, retryAt: undefined, isProbing: false }
    failing.set(key, circuit)
    if (++circuit.failuresInRow < failures) return
    circuit.retryAt = (yield* Clock.monotonicTimeNanos) + openNanos
    yield* Metric.update(up, 0)
  })

  return {
    price: (input, output, amount) =>
      Effect.flatMap(Clock.monotonicTimeNanos, (now) => {
        const key = pairKey(input, output)
        const circuit = failing.get(key)
        if (circuit?.retryAt !== undefined) {
          if (now < circuit.retryAt || circuit.isProbing) return Effect.fail(circuitOpen(circuit))
          circuit.isProbing = true
        }
        return Metric.update(requests, 1).pipe(
          Effect.andThen(venue.price(input, output, amount)),
          // A response without a price is also a valid response.
          Effect.tapError((error) => (error._tag === "NoPrice" ? answered(key) : failed(key, error))),
          Effect.tap(() => answered(key)),
          Effect.ensuring(
            Effect.sync(() => {
              if (circuit !== undefined) circuit.isProbing = false
            })
          )
        )
      })
  }
}
