/** A query for a wallet's delegation. */
import type { Client, Delegation, DelegationQuery } from "@geoswap/core/promise"
import { clientId, root } from "./keys.js"
import { rejectDisabled, type Options } from "./options.js"
import { queryDefaults } from "./retry.js"

/** The common prefix of the keys of all delegation queries. */
export const delegationKey = [root, "delegation"] as const

/** Returns query options for a wallet's delegation. The query is disabled without a wallet. */
export const delegationQueryOptions = (
  client: Client,
  query: DelegationQuery | undefined
): Options<Delegation, readonly [typeof root, "delegation", string, number | null, string | null]> => ({
  ...queryDefaults,
  queryKey: [...delegationKey, clientId(client), query?.chainId ?? null, query?.walletAddress ?? null],
  queryFn: () => (query ? client.delegation(query) : rejectDisabled()),
  enabled: query !== undefined,
  // A cached delegation is always stale, because a wallet's first swap changes the delegation, possibly on another
  // page.
  staleTime: 0
})
