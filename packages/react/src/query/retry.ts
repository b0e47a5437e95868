/** The retry policy of queries. */
import { isSwapError } from "@geoswap/core/promise"

const maxDelay = 15_000

/** Retries temporary errors up to `max` times. Permanent errors are not retried. */
const retryUpTo =
  (max: number) =>
  (failures: number, error: unknown): boolean =>
    isSwapError(error) && error.retry === "later" && failures < max

/** Returns the service's `retryAfter`, or 1 s, 2 s, 4 s and so on, up to 15 s. */
const retryDelay = (failures: number, error: unknown): number =>
  (isSwapError(error) && "retryAfter" in error && error.retryAfter) || Math.min(maxDelay, 1_000 * 2 ** failures)

/** The defaults of all queries. They ignore the browser's online state: a local devnet works without a network. */
export const queryDefaults = { networkMode: "always", retry: retryUpTo(5), retryDelay } as const

/** The defaults of hooks: retry without limit and return errors instead of throwing, whatever the `QueryClient` defaults. */
export const hookDefaults = { retry: retryUpTo(Infinity), throwOnError: false } as const
