/** A query of the client, with the options of a hook. */
import type { Client, SwapError } from "@geoswap/core/promise"
import { useQuery, type UseQueryOptions, type UseQueryResult } from "@tanstack/react-query"
import { useProvided } from "./GeoswapProvider.js"
import type { ClientKey } from "./query/keys.js"
import type { Options } from "./query/options.js"
import { hookDefaults } from "./query/retry.js"

/** Options for a query hook. */
export interface HookOptions<QueryData, Data = QueryData> {
  /** The options of TanStack Query's `useQuery`, such as `select`, `staleTime`, `enabled` and `refetchInterval`. */
  readonly query?:
    | Omit<UseQueryOptions<QueryData, SwapError, Data>, "queryFn" | "queryHash" | "queryKey" | "queryKeyHashFn">
    | undefined
}

/** Runs a query of the client. A query whose input is missing or has not settled stays disabled. */
export const useClientQuery = <QueryData, Data>(
  optionsFor: (client: Client, key: ClientKey) => Options<QueryData>,
  { query }: HookOptions<QueryData, Data>,
  settled = true
): UseQueryResult<Data, SwapError> => {
  const { client, clientKey } = useProvided()
  const options = optionsFor(client, { clientKey })
  return useQuery<QueryData, SwapError, Data>({
    ...options,
    ...hookDefaults,
    ...query,
    ...((options.enabled === false || !settled) && { enabled: false })
  })
}
