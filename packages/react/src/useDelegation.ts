/** Whether a wallet is delegated on a chain. */
import type { Delegation, DelegationQuery, SwapError } from "@geoswap/core/promise"
import type { UseQueryResult } from "@tanstack/react-query"
import { delegationQueryOptions } from "./query/delegation.js"
import { type HookOptions, useClientQuery } from "./useClientQuery.js"

/** Returns a wallet's delegation on a chain. If `wallet` is `undefined`, no request is sent. */
export const useDelegation = <Data = Delegation>(
  wallet: DelegationQuery | undefined,
  options: HookOptions<Delegation, Data> = {}
): UseQueryResult<Data, SwapError> =>
  useClientQuery((client, key) => delegationQueryOptions(client, wallet, key), options)
