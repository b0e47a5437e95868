/** Whether a wallet is delegated, as a query. */
import type { Client, Delegation, DelegationQuery } from "@geoswap/core/promise"
import { clientId, root } from "./keys.js"
import { rejectDisabled, type Options } from "./options.js"
import { queryDefaults } from "./retry.js"

/** What the keys of all delegations begin with. */
export const delegationKey = [root, "delegation"] as const

/** The options of a query for the delegation of a wallet; without one to ask about, it is off. */
export const delegationQueryOptions = (
  client: Client,
  query: DelegationQuery | undefined
): Options<Delegation, readonly [typeof root, "delegation", string, number | null, string | null]> => ({
  ...queryDefaults,
  queryKey: [...delegationKey, clientId(client), query?.chainId ?? null, query?.walletAddress ?? null],
  queryFn: () => (query ? client.delegation(query) : rejectDisabled()),
  enabled: query !== undefined,
  // The first swap of a wallet changes it, in whatever page.
  staleTime: 0
})
