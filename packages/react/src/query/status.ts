/** A swap on its way to the end, as a query. */
import type { Client, Swap } from "@geoswap/core/promise"
import { clientId, root } from "./keys.js"
import { rejectDisabled, type Options } from "./options.js"
import { queryDefaults } from "./retry.js"

/** Whether a swap has reached its end. */
const hasEnded = (swap: Swap | undefined): boolean => swap !== undefined && swap.status !== "pending"

/**
 * The options of a query that follows a swap to its end by long polling. It is fetching all that time, and its data
 * change on the way.
 */
export const statusQueryOptions = (
  client: Client,
  swapId: string | undefined
): Options<Swap, readonly [typeof root, "status", string, string | null]> => ({
  ...queryDefaults,
  queryKey: [root, "status", clientId(client), swapId ?? null],
  queryFn: async ({ client: cache, queryKey, signal }) => {
    if (swapId === undefined) return rejectDisabled()
    let last: Swap | undefined
    // No limit of its own: whoever looks decides how long.
    for await (const swap of client.watch(swapId, { signal, timeout: Infinity })) {
      last = swap
      cache.setQueryData<Swap>(queryKey, swap)
    }
    return last ?? rejectDisabled()
  },
  enabled: swapId !== undefined,
  staleTime: ({ state }) => (hasEnded(state.data) ? Infinity : 0)
})
