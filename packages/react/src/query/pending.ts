/** A query for the flows in the store. */
import type { Client, Flow } from "@geoswap/core/promise"
import { clientId, root } from "./keys.js"
import { type Options, uncached, withHidden } from "./options.js"

/** The common prefix of the keys of all queries for the store's flows. */
export const pendingKey = [root, "pending"] as const

/** The flows as the query cache holds them. Flows contain signatures, so serializers ignore them. */
export interface HeldFlows {
  readonly flows: ReadonlyArray<Flow>
}

/**
 * Returns query options for signed flows without a known outcome, including flows that are running. The flows are
 * stored only in the store: they are not cached, persisted or dehydrated.
 */
export const pendingQueryOptions = (
  client: Client
): Options<HeldFlows> & { readonly select: (held: HeldFlows) => ReadonlyArray<Flow> } => ({
  ...uncached,
  queryKey: [...pendingKey, clientId(client)],
  queryFn: async () => {
    const flows = await client.pending()
    return withHidden({}, "flows", () => flows)
  },
  networkMode: "always",
  retry: false,
  staleTime: 0,
  select: ({ flows }) => flows
})
