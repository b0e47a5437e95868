/** Unfinished swaps that can be resumed. */
import type { Flow, FlowId, SwapError } from "@geoswap/core/promise"
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query"
import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react"
import { useGeoswap } from "./GeoswapProvider.js"
import { pendingQueryOptions } from "./query/pending.js"
import { isFlowOf, runningSwaps, type RunningSwap } from "./query/swap.js"

/** The state that `useResumableSwaps` returns. */
export interface ResumableSwapsState {
  readonly flows: ReadonlyArray<Flow>
  readonly error: SwapError | null
  readonly isLoading: boolean
  /** Removes a flow from the journal. The flow's swap can then no longer be followed. */
  readonly forget: (flowId: FlowId) => Promise<void>
  readonly refetch: () => void
}

/**
 * Returns the swaps that are running on this page. The store's snapshot is a string, because React requires a snapshot
 * that stays equal while nothing changes.
 */
const useRunningSwaps = (cache: QueryClient): ReadonlyArray<RunningSwap> => {
  const subscribe = useCallback((notify: () => void) => cache.getMutationCache().subscribe(notify), [cache])
  const get = useCallback(() => JSON.stringify(runningSwaps(cache)), [cache])
  const text = useSyncExternalStore(subscribe, get, () => "[]")
  return useMemo(() => JSON.parse(text) as ReadonlyArray<RunningSwap>, [text])
}

/**
 * Returns the flows in the journal that are not running on this page. The list is updated when another tab changes the
 * journal.
 */
export const useResumableSwaps = (): ResumableSwapsState => {
  const client = useGeoswap()
  const cache = useQueryClient()
  const running = useRunningSwaps(cache)
  const { data, error, isLoading, refetch } = useQuery({ ...pendingQueryOptions(client), throwOnError: false })
  const read = useCallback(() => void refetch(), [refetch])
  useEffect(() => {
    window.addEventListener("storage", read)
    return () => window.removeEventListener("storage", read)
  }, [read])
  const flows = useMemo(
    () => (data ?? []).filter((flow) => !running.some((swap) => isFlowOf(swap, flow))),
    [data, running]
  )
  const forget = useCallback(
    async (flowId: FlowId) => {
      await client.forget(flowId)
      await cache.invalidateQueries({ queryKey: pendingQueryOptions(client).queryKey })
    },
    [client, cache]
  )
  return { flows, error, isLoading, forget, refetch: read }
}
