/** Random faults of a service and of the store of a process, for schedules of several processes. */
import * as Effect from "effect/Effect"
import type { SeededRandom } from "../../../tooling/testing/seededRandom.ts"
import { type Operation, RetrySettings, type Store, SwapError, type Transport } from "../src/index.js"
import { ChainLibrary, Fault } from "../src/testing.js"

/** Short timeouts and few attempts, so that a schedule reaches every limit. */
export const hasty: RetrySettings.RetrySettings = {
  ...RetrySettings.defaults,
  requestTimeout: 3_000,
  callAttempts: 2,
  submitAttempts: 3,
  rateLimitWaits: 1,
  maxRetryAfter: 2_000,
  backoff: [200, 800],
  waitTimeout: 10_000,
  proofTimeout: 4_000,
  claimLease: 3_000
}

const refusal = (status: number, code: string, after: boolean) =>
  Fault.garbage(JSON.stringify({ code, message: "Refused." }), { status, after })

/** Reports the swap as failed, although the chain does not confirm it. The id is that of the service. */
const failedLie = Fault.alter((answer) => ({ ...answer, status: "failed", failureCode: "OPERATION_EXPIRED" }))

/** An operation that expires before it is signed or soon after, with a valid hash. */
const shortLived = (deadline: number) =>
  Fault.alter((answer) => {
    if (answer["geoOp"] === undefined) return answer
    const geoOp = { ...(answer["geoOp"] as Operation.GeoOp), deadline }
    return { ...answer, geoOp, geoOpHash: ChainLibrary.standIn.hashOperation(geoOp) }
  })

/** The faults of a request. Half of the refusals are false: the request took effect. */
export const faultOf = (random: SeededRandom, endpoint: Transport.Endpoint, now: number): Fault.Fault => {
  const after = random.next() < 0.5
  const lot = random.next()
  if (lot < 0.3 && (endpoint === "submit" || endpoint === "submit-solana" || endpoint === "status")) return failedLie
  if (lot < 0.2 && endpoint === "build-geo-op") return shortLived(Math.floor(now / 1000) + random.below(8) - 2)
  return random.pick([
    () => Fault.disconnect({ after }),
    () => Fault.hang({ after }),
    () => Fault.unavailable({ after }),
    () => Fault.garbage("<html>", { after }),
    () => Fault.delay(random.below(6_000)),
    () => Fault.rateLimited(random.below(4)),
    () => Fault.expire,
    () => Fault.moveNonce,
    () => refusal(410, "OPERATION_EXPIRED", after),
    () => refusal(409, "INVALID_AUTHORIZATION", after),
    () => refusal(409, "NEEDS_DELEGATION", after),
    () => refusal(409, "NONCE_USED", after),
    () => refusal(422, "SLIPPAGE", after),
    () => refusal(422, "INSUFFICIENT_BALANCE", after),
    () => refusal(401, "INVALID_TOKEN", after),
    () => refusal(401, "UNAUTHORIZED", after)
  ])()
}

/** The faults of the store of a process. */
export interface Stores {
  /** How many calls fail, before or after they took effect. */
  readonly failures: number
  /** The maximum delay of a call, before and after it takes effect, so that others interleave. */
  readonly slowness: number
  /** Whether the process was killed, so that its calls have no effect. */
  readonly dead: () => boolean
}

/** Records that are slow and fail at random. */
export const flaky = (
  records: Store.Records,
  random: SeededRandom,
  { failures, slowness, dead }: Stores
): Store.Records => {
  const failing = Effect.fail(new SwapError.StoreError({ message: "Full." }))
  const pause = Effect.suspend(() => (slowness === 0 ? Effect.void : Effect.sleep(random.below(slowness))))
  const spoil = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E | SwapError.StoreError> => {
    const spoilt = Effect.suspend(() => {
      if (dead()) return Effect.never
      const lot = random.next()
      if (lot < failures / 2) return failing
      return lot < failures ? Effect.andThen(effect, failing) : effect
    })
    return Effect.andThen(pause, Effect.tap(spoilt, pause))
  }
  return { update: (name, change) => spoil(records.update(name, change)), names: spoil(records.names) }
}
