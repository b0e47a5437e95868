/** The status of a swap. */
import type { Swap, SwapError, SwapId } from "@geoswap/core/promise"
import type { UseQueryResult } from "@tanstack/react-query"
import { statusQueryOptions } from "./query/status.js"
import { type HookOptions, useClientQuery } from "./useClientQuery.js"

/** Follows a swap until it has settled, failed or been refunded. If `swapId` is `undefined`, no request is sent. */
export const useSwapStatus = <Data = Swap>(
  swapId: SwapId | undefined,
  options: HookOptions<Swap, Data> = {}
): UseQueryResult<Data, SwapError> => useClientQuery((client, key) => statusQueryOptions(client, swapId, key), options)
