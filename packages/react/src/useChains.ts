/** The service's chains and tokens. */
import type { ChainInfo, SwapError } from "@geoswap/core/promise"
import { useQuery, type UseQueryResult } from "@tanstack/react-query"
import { useProvided } from "./GeoswapProvider.js"
import type { HookOptions } from "./hookOptions.js"
import { type ChainsKey, chainsQueryOptions } from "./query/chains.js"
import { hookDefaults } from "./query/retry.js"

/** Returns the service's chains and tokens. Retries while the service is unavailable. */
export const useChains = <Data = ReadonlyArray<ChainInfo>>({
  query
}: HookOptions<ReadonlyArray<ChainInfo>, Data, ChainsKey> = {}): UseQueryResult<Data, SwapError> => {
  const { client, clientKey } = useProvided()
  return useQuery<ReadonlyArray<ChainInfo>, SwapError, Data, ChainsKey>({
    ...chainsQueryOptions(client, { clientKey }),
    ...hookDefaults,
    ...query
  })
}
