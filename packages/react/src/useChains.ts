/** The service's chains and tokens. */
import type { ChainInfo, SwapError } from "@geoswap/core/promise"
import type { UseQueryResult } from "@tanstack/react-query"
import { chainsQueryOptions } from "./query/chains.js"
import { type HookOptions, useClientQuery } from "./useClientQuery.js"

/** Returns the service's chains and tokens. Retries while the service is unavailable. */
export const useChains = <Data = ReadonlyArray<ChainInfo>>(
  options: HookOptions<ReadonlyArray<ChainInfo>, Data> = {}
): UseQueryResult<Data, SwapError> => useClientQuery(chainsQueryOptions, options)
