/** An indicative quote. */
import type { IndicativeQuote, IndicativeQuoteInput, SwapError } from "@geoswap/core/promise"
import type { UseQueryResult } from "@tanstack/react-query"
import { useDebounce } from "./internal/useDebounce.js"
import { indicativeQuoteQueryOptions } from "./query/indicativeQuote.js"
import { requestKey } from "./query/keys.js"
import { type HookOptions, useClientQuery } from "./useClientQuery.js"

/**
 * Returns a price that reserves nothing and cannot be executed. The wallet is optional. With a wallet on an EVM chain,
 * `paymentOf` returns how the wallet can pay, before a quote is requested. A changed request is sent once it has stayed
 * the same for `debounce` milliseconds (default: 300).
 */
export const useIndicativeQuote = <Data = IndicativeQuote>(
  request: IndicativeQuoteInput | undefined,
  { debounce = 300, ...options }: HookOptions<IndicativeQuote, Data> & { readonly debounce?: number | undefined } = {}
): UseQueryResult<Data, SwapError> => {
  const settled = useDebounce(request && requestKey(request), debounce)
  return useClientQuery((client, key) => indicativeQuoteQueryOptions(client, request, key), options, settled)
}
