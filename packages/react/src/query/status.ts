/** A query that follows a swap. */
import type { Client, Swap, SwapId } from "@geoswap/core/promise"
import { type ClientKey, defaultClientKey, root } from "./keys.js"
import { type Options, rejectMissing } from "./options.js"
import { queryDefaults } from "./retry.js"

/**
 * Returns query options for following a swap to its end by long polling. The query keeps fetching until the swap ends,
 * and its data changes along the way. The query is disabled without an id.
 */
export const statusQueryOptions = (
  client: Client,
  swapId: SwapId | undefined,
  { clientKey = defaultClientKey }: ClientKey = {}
): Options<Swap> => ({
  ...queryDefaults,
  queryKey: [root, "status", clientKey, swapId ?? null],
  queryFn: async ({ client: cache, queryKey, signal }) => {
    if (swapId === undefined) return rejectMissing("swapId")
    let last: Swap | undefined
    // No timeout: the observer decides how long to wait.
    for await (const swap of client.watch(swapId, { signal, timeout: Infinity })) {
      last = swap
      cache.setQueryData<Swap>(queryKey, swap)
    }
    if (last === undefined) throw new Error("The client's watch ended without a status.")
    return last
  },
  enabled: swapId !== undefined,
  staleTime: ({ state }) => ((state.data?.status ?? "pending") === "pending" ? 0 : Infinity)
})
