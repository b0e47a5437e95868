/** The type of the query options, for any adapter of TanStack Query. */
import type { SwapError } from "@geoswap/core/promise"
import type { QueryFunction, QueryKey, QueryObserverOptions } from "@tanstack/query-core"

/** Options for `useQuery`, `fetchQuery` and similar functions. Errors are the client's errors. */
export type Options<Data, Key extends QueryKey> = QueryObserverOptions<Data, SwapError, Data, Data, Key> & {
  readonly queryKey: Key
  readonly queryFn: QueryFunction<Data, Key>
}

/** Rejects the call of a disabled query. */
export const rejectDisabled = (): Promise<never> =>
  Promise.reject(new Error("This query is disabled: its input is missing."))
