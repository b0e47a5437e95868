/** The service's chains and tokens. */
import type { ChainInfo, SwapError } from "@geoswap/core/promise"
import { useQuery } from "@tanstack/react-query"
import { useCallback } from "react"
import { useGeoswap } from "./GeoswapProvider.js"
import { hookDefaults } from "./query/retry.js"
import { chainsQueryOptions } from "./query/chains.js"

/** The state that `useChains` returns. */
export interface ChainsState {
  readonly chains: ReadonlyArray<ChainInfo> | undefined
  readonly error: SwapError | null
  readonly isLoading: boolean
  readonly refetch: () => void
}

/** Returns the service's chains and tokens. Retries while the service is unavailable. */
export const useChains = (): ChainsState => {
  const { data, error, failureReason, isLoading, refetch } = useQuery({
    ...chainsQueryOptions(useGeoswap()),
    ...hookDefaults
  })
  return {
    chains: data,
    error: failureReason ?? error,
    isLoading,
    refetch: useCallback(() => void refetch(), [refetch])
  }
}
