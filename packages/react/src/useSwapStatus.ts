/** The status of a swap. */
import type { Swap, SwapError, SwapId } from "@geoswap/core/promise"
import { useQuery } from "@tanstack/react-query"
import { useGeoswap } from "./GeoswapProvider.js"
import { hookDefaults } from "./query/retry.js"
import { statusQueryOptions } from "./query/status.js"

/** The state that `useSwapStatus` returns. */
export interface SwapStatusState {
  readonly swap: Swap | undefined
  readonly error: SwapError | null
  readonly isLoading: boolean
}

/** Follows a swap until it has settled, failed or been refunded. */
export const useSwapStatus = (swapId: SwapId | undefined): SwapStatusState => {
  const { data, error, failureReason, isLoading } = useQuery({
    ...statusQueryOptions(useGeoswap(), swapId),
    ...hookDefaults
  })
  return { swap: data, error: failureReason ?? error, isLoading }
}
