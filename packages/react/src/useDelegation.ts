/** Whether a wallet is delegated on a chain. */
import type { Delegation, DelegationQuery, SwapError } from "@geoswap/core/promise"
import { useQuery, type UseQueryResult } from "@tanstack/react-query"
import { useProvided } from "./GeoswapProvider.js"
import type { HookOptions } from "./hookOptions.js"
import { type DelegationKey, delegationQueryOptions } from "./query/delegation.js"
import { hookDefaults } from "./query/retry.js"

/** Returns a wallet's delegation on a chain. If `wallet` is `undefined`, no request is sent. */
export const useDelegation = <Data = Delegation>(
  wallet: DelegationQuery | undefined,
  { query }: HookOptions<Delegation, Data, DelegationKey> = {}
): UseQueryResult<Data, SwapError> => {
  const { client, clientKey } = useProvided()
  return useQuery<Delegation, SwapError, Data, DelegationKey>({
    ...delegationQueryOptions(client, wallet, { clientKey }),
    ...hookDefaults,
    ...query,
    ...(wallet === undefined && { enabled: false })
  })
}
