/** The flows of the journal, as a query. */
import type { Client, Flow } from "@geoswap/core/promise"
import { clientId, root } from "./keys.js"
import type { Options } from "./options.js"

/** What the keys of all journals begin with. */
export const pendingKey = [root, "pending"] as const

/** The options of a query for the flows that were signed and have no known end yet, those under way included. */
export const pendingQueryOptions = (
  client: Client
): Options<ReadonlyArray<Flow>, readonly [typeof root, "pending", string]> => ({
  queryKey: [...pendingKey, clientId(client)],
  queryFn: () => client.pending(),
  networkMode: "always",
  retry: false,
  // They are signed: nobody needs a copy beside the journal.
  gcTime: 0,
  staleTime: 0,
  structuralSharing: false
})
