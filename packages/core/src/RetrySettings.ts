/** Limits for retries, timeouts and waits. */
import * as Context from "effect/Context"

/** The limits. Durations are in milliseconds. */
export interface RetrySettings {
  /** How many times an expired quote is replaced in one swap. */
  readonly maxRequotes: number
  /** A quote with less time left than this is replaced instead of being used to build an operation. */
  readonly quoteMargin: number
  /** The timeout for a single request. It exceeds the 15 s that the service may take to respond to a status request. */
  readonly requestTimeout: number
  /** How many times a call without side effects is attempted if the service is unavailable. */
  readonly callAttempts: number
  /** How many times the same submission is sent before its outcome is treated as unknown. */
  readonly submitAttempts: number
  /** How many times a single call waits and tries again after a 429 response. */
  readonly rateLimitWaits: number
  /**
   * A call fails if `Retry-After` is longer than this value. While waiting for a swap to end, the delay is capped at
   * this value instead.
   */
  readonly maxRetryAfter: number
  /** The first and the maximum delay between attempts. */
  readonly backoff: readonly [first: number, most: number]
  /** How long to wait for a swap to end. */
  readonly waitTimeout: number
  /** How long to poll your own node for proof that a refused operation has expired unused. */
  readonly proofTimeout: number
  /**
   * How long signing remains allowed after a quote is accepted. After this time, nothing more is signed for the swap.
   */
  readonly agreementTimeout: number
  /**
   * How long a claim on an idempotency key lasts if nothing has been signed. After that, another `execute` call can
   * take over the claim.
   */
  readonly claimLease: number
  /**
   * How long the store keeps what can be submitted for a flow that is never resumed. After this time, only what identifies
   * its signatures on the chain is kept.
   */
  readonly submissionLifetime: number
}

/** The default limits. */
export const defaults: RetrySettings = {
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
  claimLease: 60_000,
  submissionLifetime: 7 * 86_400_000
}

/** The limits that the swap programs use. To change the limits, provide a different value. */
export const RetrySettings = Context.Reference<RetrySettings>("@geoswap/core/RetrySettings", {
  defaultValue: () => defaults
})
