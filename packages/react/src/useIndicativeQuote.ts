/** An indicative quote. */
import type { IndicativeQuote, IndicativeQuoteInput, SwapError } from "@geoswap/core/promise"
import { useQuery, type UseQueryResult } from "@tanstack/react-query"
import { useProvided } from "./GeoswapProvider.js"
import type { HookOptions } from "./hookOptions.js"
import { useDebounce } from "./internal/useDebounce.js"
import { type IndicativeQuoteKey, indicativeQuoteQueryOptions } from "./query/indicativeQuote.js"
import { requestKey } from "./query/keys.js"
import { hookDefaults } from "./query/retry.js"

/** Options for `useIndicativeQuote`. */
export interface IndicativeQuoteOptions<Data = IndicativeQuote> extends HookOptions<
  IndicativeQuote,
  Data,
  IndicativeQuoteKey
> {
  /** How many milliseconds a changed request must stay the same before it is sent (default: 300). */
  readonly debounce?: number | undefined
}

/**
 * Returns a price that reserves nothing and cannot be executed. The wallet is optional. With a wallet on an EVM chain,
 * `paymentOf` returns how the wallet can pay, before a quote is requested.
 */
export const useIndicativeQuote = <Data = IndicativeQuote>(
  request: IndicativeQuoteInput | undefined,
  { debounce = 300, query }: IndicativeQuoteOptions<Data> = {}
): UseQueryResult<Data, SwapError> => {
  const { client, clientKey } = useProvided()
  const settled = useDebounce(request && requestKey(request), debounce)
  return useQuery<IndicativeQuote, SwapError, Data, IndicativeQuoteKey>({
    ...indicativeQuoteQueryOptions(client, request, { clientKey }),
    ...hookDefaults,
    ...query,
    ...((request === undefined || !settled) && { enabled: false })
  })
}
