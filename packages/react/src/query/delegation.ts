/** A query for a wallet's delegation. */
import type { Client, Delegation, DelegationQuery } from "@geoswap/core/promise"
import { type ClientKey, defaultClientKey, root } from "./keys.js"
import { type Options, rejectMissing } from "./options.js"
import { queryDefaults } from "./retry.js"

/** The common prefix of the keys of all delegation queries. */
export const delegationKey = [root, "delegation"] as const

/** Returns query options for a wallet's delegation. The query is disabled without a wallet. */
export const delegationQueryOptions = (
  client: Client,
  wallet: DelegationQuery | undefined,
  { clientKey = defaultClientKey }: ClientKey = {}
): Options<Delegation> => ({
  ...queryDefaults,
  queryKey: [...delegationKey, clientKey, wallet?.chainId ?? null, wallet?.walletAddress ?? null],
  queryFn: () => (wallet ? client.delegation(wallet) : rejectMissing("walletAddress")),
  enabled: wallet !== undefined,
  // Long enough for a page to hydrate. Not longer, because the wallet's first swap changes the delegation, possibly on
  // another page. This is only what the page shows: a swap always reads the delegation itself.
  staleTime: 10_000
})
