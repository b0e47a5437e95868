/** The limits of retries, timeouts and waits. */
import * as Context from "effect/Context"

/** The limits, in milliseconds and counts. */
export interface Shape {
  /** How often an expired quote is replaced in one swap. */
  readonly maxRequotes: number
  /** A quote with less time left than this is replaced instead of built. */
  readonly quoteMargin: number
  /** The timeout of a single request. Longer than the 15 s for which the service holds a status request. */
  readonly requestTimeout: number
  /** How often a call that changes nothing is attempted if the service is unavailable. */
  readonly callAttempts: number
  /** How often the same submission is sent before the outcome is treated as unknown. */
  readonly submitAttempts: number
  /** How often one call waits after a 429. */
  readonly rateLimitWaits: number
  /** A longer `Retry-After` fails the call. While waiting for the end of a swap, it is shortened to this. */
  readonly maxRetryAfter: number
  /** The first and the longest delay between attempts. */
  readonly backoff: readonly [first: number, most: number]
  /** How long to wait for the end of a swap. */
  readonly waitTimeout: number
  /** How long your own node is polled for the proof that a refused operation has expired unused. */
  readonly proofTimeout: number
  /** How long an accepted quote allows signatures. After this time, nothing more is signed for the swap. */
  readonly agreementTimeout: number
  /** How long an idempotency key is claimed before something is signed. After that, another `execute` can take it over. */
  readonly claimLease: number
}

/** The defaults. */
export const defaults: Shape = {
  maxRequotes: 3,
  quoteMargin: 2_000,
  requestTimeout: 25_000,
  callAttempts: 3,
  submitAttempts: 8,
  rateLimitWaits: 5,
  maxRetryAfter: 60_000,
  backoff: [500, 8_000],
  waitTimeout: 900_000,
  proofTimeout: 30_000,
  agreementTimeout: 180_000,
  claimLease: 60_000
}

/** The limits that the programs use. Provide others to change them. */
export const RetrySettings = Context.Reference<Shape>("@geoswap/core/RetrySettings", { defaultValue: () => defaults })
