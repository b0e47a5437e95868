/** Options for the query hooks. */
import type { SwapError } from "@geoswap/core/promise"
import type { QueryKey, UseQueryOptions } from "@tanstack/react-query"
import type { uncached } from "./query/options.js"

/** The options that a hook sets itself. */
type Identity = "queryFn" | "queryHash" | "queryKey" | "queryKeyHashFn"

/** Options for a query hook. */
export interface HookOptions<QueryData, Data = QueryData, Key extends QueryKey = QueryKey> {
  /** The options of TanStack Query's `useQuery`, such as `select`, `staleTime`, `enabled` and `refetchInterval`. */
  readonly query?: Omit<UseQueryOptions<QueryData, SwapError, Data, Key>, Identity> | undefined
}

/** Options for a hook whose data must not be cached or persisted. */
export interface UncachedHookOptions<QueryData, Data, HeldData, Key extends QueryKey> {
  /** The options of TanStack Query's `useQuery`, except those that would cache or persist the data. */
  readonly query?:
    | (Omit<
        UseQueryOptions<HeldData, SwapError, Data, Key>,
        Identity | keyof typeof uncached | "initialDataUpdatedAt" | "select"
      > & { readonly select?: (data: QueryData) => Data })
    | undefined
}
