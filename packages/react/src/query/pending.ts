/** A query for the flows of the journal. */
import type { Client, Flow } from "@geoswap/core/promise"
import { clientId, root } from "./keys.js"
import type { Options } from "./options.js"

/** The common prefix of all journal keys. */
export const pendingKey = [root, "pending"] as const

/** Returns the options of a query for signed flows without a known outcome, including running ones. */
export const pendingQueryOptions = (
  client: Client
): Options<ReadonlyArray<Flow>, readonly [typeof root, "pending", string]> => ({
  queryKey: [...pendingKey, clientId(client)],
  queryFn: () => client.pending(),
  networkMode: "always",
  retry: false,
  // They are signed: the journal is the only copy.
  gcTime: 0,
  staleTime: 0,
  structuralSharing: false
})
