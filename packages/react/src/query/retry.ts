/** When a call that failed is made again. */
import { isSwapError } from "@geoswap/core/promise"

const longestPause = 15_000

/** Tries again what may pass with time, at most so often; never what would only be refused again. */
const retryUpTo =
  (most: number) =>
  (failures: number, error: unknown): boolean =>
    isSwapError(error) && error.retry === "later" && failures < most

/** As long as the service says; otherwise 1 s, 2 s, 4 s and so on, to 15 s. */
const retryDelay = (failures: number, error: unknown): number =>
  (isSwapError(error) && "retryAfter" in error && error.retryAfter) || Math.min(longestPause, 1_000 * 2 ** failures)

/** What all queries have in common. A devnet on a laptop works without a network, so the browser's word is not asked. */
export const queryDefaults = { networkMode: "always", retry: retryUpTo(5), retryDelay } as const

/** For what is on a screen: asks until there is an answer, and shows errors where they belong, whatever the defaults. */
export const hookDefaults = { retry: retryUpTo(Infinity), throwOnError: false } as const
