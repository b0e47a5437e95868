/** Whether a wallet is delegated on a chain. */
import type { Delegation, DelegationQuery, SwapError } from "@geoswap/core/promise"
import { useQuery } from "@tanstack/react-query"
import { useCallback } from "react"
import { useGeoswap } from "./GeoswapProvider.js"
import { delegationQueryOptions } from "./query/delegation.js"
import { hookDefaults } from "./query/retry.js"

/** The state that `useDelegation` returns. */
export interface DelegationState {
  readonly delegation: Delegation | undefined
  readonly error: SwapError | null
  readonly isLoading: boolean
  readonly refetch: () => void
}

/** Returns a wallet's delegation on a chain. If `query` is `undefined`, no request is sent. */
export const useDelegation = (query: DelegationQuery | undefined): DelegationState => {
  const { data, error, failureReason, isLoading, refetch } = useQuery({
    ...delegationQueryOptions(useGeoswap(), query),
    ...hookDefaults
  })
  const enabled = query !== undefined
  return {
    delegation: data,
    error: failureReason ?? error,
    isLoading,
    refetch: useCallback(() => void (enabled && refetch()), [enabled, refetch])
  }
}
