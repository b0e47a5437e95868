/** The retry policy for queries. */
import { isSwapError } from "@geoswap/core/promise"

const maxDelay = 15_000

/** Retries temporary errors up to `max` times. Permanent errors are not retried. */
const retryUpTo =
  (max: number) =>
  (failures: number, error: unknown): boolean =>
    isSwapError(error) && error.retry === "later" && failures < max

/** Returns the delay before the next attempt: the service's `retryAfter`, or 1 s, 2 s, 4 s and so on, up to 15 s. */
const retryDelay = (failures: number, error: unknown): number =>
  (isSwapError(error) && "retryAfter" in error && error.retryAfter) || Math.min(maxDelay, 1_000 * 2 ** failures)

/**
 * The defaults for all queries. They ignore the browser's online state, because a local devnet works without a network.
 */
export const queryDefaults = { networkMode: "always", retry: retryUpTo(5), retryDelay } as const

/**
 * The defaults for hooks: retry without limit, and return errors instead of throwing, regardless of the `QueryClient`
 * defaults.
 */
export const hookDefaults = { retry: retryUpTo(Infinity), throwOnError: false } as const
