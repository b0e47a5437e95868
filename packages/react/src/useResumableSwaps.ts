/** Unfinished swaps that can be resumed. */
import type { Flow, FlowId, SwapError } from "@geoswap/core/promise"
import { type QueryClient, useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query"
import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react"
import { useGeoswap } from "./GeoswapProvider.js"
import { uncached } from "./query/options.js"
import { type HeldFlows, pendingKey, pendingQueryOptions } from "./query/pending.js"
import { isFlowOf, runningSwaps, type RunningSwap } from "./query/swap.js"
import type { HookOptions } from "./useClientQuery.js"

type Result<Data> = UseQueryResult<Data, SwapError> & {
  /** Removes a flow from the store. The flow's swap can then no longer be followed. */
  readonly forget: (flowId: FlowId) => Promise<void>
}

interface Options<Data> {
  /** The options of TanStack Query's `useQuery`, except those that would cache or persist the flows. */
  readonly query?:
    | (Omit<
        NonNullable<HookOptions<HeldFlows, Data>["query"]>,
        keyof typeof uncached | "initialDataUpdatedAt" | "select"
      > & { readonly select?: ((flows: ReadonlyArray<Flow>) => Data) | undefined })
    | undefined
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
 * Returns the flows in the store that are not running on this page. The list is updated when another tab changes the
 * store.
 */
export const useResumableSwaps = <Data = ReadonlyArray<Flow>>({ query = {} }: Options<Data> = {}): Result<Data> => {
  const client = useGeoswap()
  const cache = useQueryClient()
  const running = useRunningSwaps(cache)
  const { select } = query
  const result = useQuery<HeldFlows, SwapError, Data>({
    ...pendingQueryOptions(client),
    throwOnError: false,
    ...query,
    ...uncached,
    select: useCallback(
      ({ flows }: HeldFlows) => {
        const resumable = flows.filter((flow) => !running.some((swap) => isFlowOf(swap, flow)))
        return (select ? select(resumable) : resumable) as Data
      },
      [running, select]
    )
  })
  const invalidate = useCallback(() => cache.invalidateQueries({ queryKey: pendingKey }), [cache])
  useEffect(() => {
    const onStorage = () => void invalidate()
    window.addEventListener("storage", onStorage)
    return () => window.removeEventListener("storage", onStorage)
  }, [invalidate])
  const forget = useCallback(
    async (flowId: FlowId) => {
      await client.forget(flowId)
      await invalidate()
    },
    [client, invalidate]
  )
  return { ...result, forget }
}
