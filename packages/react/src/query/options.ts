/** The form of the query options, for any adapter of TanStack Query. */
import type { SwapError } from "@geoswap/core/promise"
import type { QueryFunction, QueryKey, QueryObserverOptions } from "@tanstack/query-core"

/** Options for `useQuery`, `fetchQuery` and their like. Their errors are those of the client. */
export type Options<Data, Key extends QueryKey> = QueryObserverOptions<Data, SwapError, Data, Data, Key> & {
  readonly queryKey: Key
  readonly queryFn: QueryFunction<Data, Key>
}

/** The answer to a query that is off, and was asked all the same. */
export const rejectDisabled = (): Promise<never> => Promise.reject(new Error("There is nothing to ask about yet."))
