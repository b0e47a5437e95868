/** A query for an indicative quote: a price that reserves nothing and cannot be executed. */
import type { Client, IndicativeQuote, IndicativeQuoteInput } from "@geoswap/core/promise"
import { type ClientKey, defaultClientKey, requestKey, root } from "./keys.js"
import { type Options, rejectMissing } from "./options.js"
import { queryDefaults } from "./retry.js"

/**
 * Returns query options for an indicative quote. The query is disabled without a request. With a wallet on an EVM chain,
 * the data also says how the wallet can pay (`paymentOf`), before a quote is requested.
 */
export const indicativeQuoteQueryOptions = (
  client: Client,
  request: IndicativeQuoteInput | undefined,
  { clientKey = defaultClientKey }: ClientKey = {}
): Options<IndicativeQuote> => ({
  ...queryDefaults,
  queryKey: [root, "indicativeQuote", clientKey, request ? requestKey(request) : null],
  queryFn: ({ signal }) => (request ? client.indicativeQuote(request, { signal }) : rejectMissing("request")),
  enabled: request !== undefined,
  staleTime: 5_000
})
