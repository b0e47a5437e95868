/** The status of a swap. */
import type { Swap, SwapError, SwapId } from "@geoswap/core/promise"
import { useQuery, type UseQueryResult } from "@tanstack/react-query"
import { useProvided } from "./GeoswapProvider.js"
import type { HookOptions } from "./hookOptions.js"
import { hookDefaults } from "./query/retry.js"
import { type StatusKey, statusQueryOptions } from "./query/status.js"

/** Follows a swap until it has settled, failed or been refunded. If `swapId` is `undefined`, no request is sent. */
export const useSwapStatus = <Data = Swap>(
  swapId: SwapId | undefined,
  { query }: HookOptions<Swap, Data, StatusKey> = {}
): UseQueryResult<Data, SwapError> => {
  const { client, clientKey } = useProvided()
  return useQuery<Swap, SwapError, Data, StatusKey>({
    ...statusQueryOptions(client, swapId, { clientKey }),
    ...hookDefaults,
    ...query,
    ...(swapId === undefined && { enabled: false })
  })
}
