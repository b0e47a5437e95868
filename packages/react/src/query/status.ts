/** A query that follows a swap. */
import type { Client, Swap, SwapId } from "@geoswap/core/promise"
import { clientId, root } from "./keys.js"
import { rejectDisabled, type Options } from "./options.js"
import { queryDefaults } from "./retry.js"

/** Whether a swap has settled, failed or been refunded. */
const hasEnded = (swap: Swap | undefined): boolean => swap !== undefined && swap.status !== "pending"

/**
 * Returns query options for following a swap to its end by long polling. The query keeps fetching until the swap ends,
 * and its data changes along the way.
 */
export const statusQueryOptions = (
  client: Client,
  swapId: SwapId | undefined
): Options<Swap, readonly [typeof root, "status", string, string | null]> => ({
  ...queryDefaults,
  queryKey: [root, "status", clientId(client), swapId ?? null],
  queryFn: async ({ client: cache, queryKey, signal }) => {
    if (swapId === undefined) return rejectDisabled()
    let last: Swap | undefined
    // No timeout: the observer decides how long to wait.
    for await (const swap of client.watch(swapId, { signal, timeout: Infinity })) {
      last = swap
      cache.setQueryData<Swap>(queryKey, swap)
    }
    return last ?? rejectDisabled()
  },
  enabled: swapId !== undefined,
  staleTime: ({ state }) => (hasEnded(state.data) ? Infinity : 0)
})
