/** A query for the flows in the journal. */
import type { Client, Flow } from "@geoswap/core/promise"
import { clientId, root } from "./keys.js"
import type { Options } from "./options.js"

/** The common prefix of the keys of all queries for the journal's flows. */
export const pendingKey = [root, "pending"] as const

/** Returns query options for signed flows without a known outcome, including flows that are running. */
export const pendingQueryOptions = (
  client: Client
): Options<ReadonlyArray<Flow>, readonly [typeof root, "pending", string]> => ({
  queryKey: [...pendingKey, clientId(client)],
  queryFn: () => client.pending(),
  networkMode: "always",
  retry: false,
  // Flows contain signatures, so the query cache does not keep a copy of them.
  gcTime: 0,
  staleTime: 0,
  structuralSharing: false
})
