/** A query for the service's chains and tokens. */
import type { ChainInfo, Client } from "@geoswap/core/promise"
import { type ClientKey, defaultClientKey, root } from "./keys.js"
import type { Options } from "./options.js"
import { queryDefaults } from "./retry.js"

/** Returns query options for the service's chains and tokens. */
export const chainsQueryOptions = (
  client: Client,
  { clientKey = defaultClientKey }: ClientKey = {}
): Options<ReadonlyArray<ChainInfo>> => ({
  ...queryDefaults,
  queryKey: [root, "chains", clientKey],
  // No signal is passed: the list is cached for later components, even if the first component unmounts.
  queryFn: () => client.chains(),
  staleTime: 300_000
})
