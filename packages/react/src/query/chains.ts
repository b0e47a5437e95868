/** The chains and tokens of the service, as a query. */
import type { ChainInfo, Client } from "@geoswap/core/promise"
import { clientId, root } from "./keys.js"
import type { Options } from "./options.js"
import { queryDefaults } from "./retry.js"

/** The options of a query for the chains and tokens of the service. */
export const chainsQueryOptions = (
  client: Client
): Options<ReadonlyArray<ChainInfo>, readonly [typeof root, "chains", string]> => ({
  ...queryDefaults,
  queryKey: [root, "chains", clientId(client)],
  // Without the signal: the list serves whoever comes next, even where the first to ask is gone.
  queryFn: () => client.chains(),
  staleTime: 300_000
})
