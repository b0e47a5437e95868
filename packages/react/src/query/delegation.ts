/** Whether a wallet is delegated, as a query. */
import type { Client, Delegation, DelegationQuery } from "@geoswap/core/promise"
import { nameOf, root } from "./keys.js"
import { nothingToAsk, type Options } from "./options.js"
import { patient } from "./patience.js"

/** What the keys of all delegations begin with. */
export const delegationKey = [root, "delegation"] as const

/** The options of a query for the delegation of a wallet; without one to ask about, it is off. */
export const delegationQueryOptions = (
  client: Client,
  query: DelegationQuery | undefined
): Options<Delegation, readonly [typeof root, "delegation", string, number | null, string | null]> => ({
  ...patient,
  queryKey: [...delegationKey, nameOf(client), query?.chainId ?? null, query?.walletAddress ?? null],
  queryFn: () => (query ? client.delegation(query) : nothingToAsk()),
  enabled: query !== undefined,
  // The first swap of a wallet changes it, in whatever page.
  staleTime: 0
})
