/** The type of the query options, for any TanStack Query adapter. */
import type { SwapError } from "@geoswap/core/promise"
import type { QueryFunction, QueryKey, QueryObserverOptions } from "@tanstack/query-core"

/** Options for `useQuery`, `fetchQuery` and similar functions. Errors are the client's errors. */
export type Options<Data, Key extends QueryKey> = QueryObserverOptions<Data, SwapError, Data, Data, Key> & {
  readonly queryKey: Key
  readonly queryFn: QueryFunction<Data, Key>
}

/** Rejects a call to a disabled query. */
export const rejectDisabled = (): Promise<never> =>
  Promise.reject(new Error("This query is disabled because its input is missing."))
