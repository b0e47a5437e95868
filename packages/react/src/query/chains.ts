/** The chains and tokens of the service, as a query. */
import type { ChainInfo, Client } from "@geoswap/core/promise"
import { nameOf, root } from "./keys.js"
import type { Options } from "./options.js"
import { patient } from "./patience.js"

/** The options of a query for the chains and tokens of the service. */
export const chainsQueryOptions = (
  client: Client
): Options<ReadonlyArray<ChainInfo>, readonly [typeof root, "chains", string]> => ({
  ...patient,
  queryKey: [root, "chains", nameOf(client)],
  // Without the signal: the list serves whoever comes next, even where the first to ask is gone.
  queryFn: () => client.chains(),
  staleTime: 300_000
})
