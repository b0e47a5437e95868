/** The swaps that were left before their end. */
import type { Flow, SwapError } from "@geoswap/core/promise"
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query"
import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react"
import { useGeoswap } from "./GeoswapProvider.js"
import { pendingQueryOptions } from "./query/pending.js"
import { isFlowOf, runningSwaps, type RunningSwap } from "./query/swap.js"

/** What can be taken up again. */
export interface ResumableSwapsState {
  readonly flows: ReadonlyArray<Flow>
  readonly error: SwapError | null
  readonly isLoading: boolean
  /** Takes a flow out of the journal; whatever became of its swap is not followed any more. */
  readonly forget: (flowId: string) => Promise<void>
  readonly refetch: () => void
}

/** The swaps under way in this page. As a text, since a snapshot has to stay the same while nothing changes. */
const useRunningSwaps = (cache: QueryClient): ReadonlyArray<RunningSwap> => {
  const subscribe = useCallback((notify: () => void) => cache.getMutationCache().subscribe(notify), [cache])
  const get = useCallback(() => JSON.stringify(runningSwaps(cache)), [cache])
  const text = useSyncExternalStore(subscribe, get, () => "[]")
  return useMemo(() => JSON.parse(text) as ReadonlyArray<RunningSwap>, [text])
}

/** The flows of the journal that do not run in this page right now. Notices what other tabs do. */
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
    async (flowId: string) => {
      await client.forget(flowId)
      await cache.invalidateQueries({ queryKey: pendingQueryOptions(client).queryKey })
    },
    [client, cache]
  )
  return { flows, error, isLoading, forget, refetch: read }
}
