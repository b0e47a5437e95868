/** How retry the programs are. */
import * as Context from "effect/Context"

/** Bounds on waiting and repeating, in milliseconds and counts. */
export interface Shape {
  /** How often an expired quote is renewed in one swap. */
  readonly maxRequotes: number
  /** A quote with less than this left is renewed instead of built. */
  readonly quoteMargin: number
  /** How long any one request may take; it outlives the 15 s that status is held. */
  readonly requestTimeout: number
  /** How often a call without effect is tried when the service is unavailable. */
  readonly callAttempts: number
  /** How often the same submission is sent before the outcome counts as unknown. */
  readonly submitAttempts: number
  /** How often a 429 is waited out in one call. */
  readonly rateLimitWaits: number
  /** A `Retry-After` beyond this is not waited for; when waiting for the end of a swap, no longer than this. */
  readonly maxRetryAfter: number
  /** The shortest and the longest pause between attempts. */
  readonly backoff: readonly [first: number, most: number]
  /** How long to wait for the end of a swap. */
  readonly waitTimeout: number
  /** How long your own node is asked whether a refused operation has expired unused, before `execute` gives up. */
  readonly proofTimeout: number
  /** How long an accepted quote allows signatures: past this time, nothing more is signed for the swap. */
  readonly agreementTimeout: number
  /** How long an idempotency key is held before something is signed; another `execute` can take it over after that. */
  readonly claimLease: number
}

/** What applies where nothing else is said. */
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

/** The bounds that the programs go by; provide others to change them. */
export const RetrySettings = Context.Reference<Shape>("@geoswap/core/RetrySettings", { defaultValue: () => defaults })
