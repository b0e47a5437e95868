/** A live quote. */
import type { Quote, QuoteInput, SwapError } from "@geoswap/core/promise"
import {
  focusManager,
  type RefetchOptions,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
  type UseQueryResult
} from "@tanstack/react-query"
import { useCallback, useEffect, useState, useSyncExternalStore } from "react"
import { useGeoswap } from "./GeoswapProvider.js"
import { useDebounce } from "./internal/useDebounce.js"
import { withoutData } from "./internal/withoutData.js"
import { requestKey, uniqueId } from "./query/keys.js"
import { uncached } from "./query/options.js"
import { lifetimeMillis, onEachSecond, quoteQueryOptions, type ReceivedQuote, secondsLeft } from "./query/quote.js"
import { hookDefaults } from "./query/retry.js"

/**
 * The result of `useQuote`. `data` is a valid quote for the current request, or `undefined`. An expired quote or a quote
 * for another request is never returned. When a quote expires, the result is `pending` or `error` again.
 */
export type QuoteResult<Data = Quote> = UseQueryResult<Data, SwapError> & {
  /**
   * - `idle`: there is no request, or the hook is disabled;
   * - `loading`: there is no quote for the request yet;
   * - `ready`: `data` is a valid quote;
   * - `expired`: the quote expired, and no new quote has been requested;
   * - `error`: there is no valid quote, and the last attempt failed. `failureReason` is the error.
   */
  readonly phase: "idle" | "loading" | "ready" | "expired" | "error"
  /** The remaining lifetime in whole seconds, or 0 once the quote has expired. */
  readonly secondsLeft: number | undefined
  /** Requests a new quote, unless a request is in flight or there is nothing to request. */
  readonly refresh: () => void
}

/** Options for `useQuote`. */
export interface QuoteOptions<Data = Quote> {
  /** How many milliseconds a changed request must stay the same before it is sent (default: 300). */
  readonly debounce?: number | undefined
  /** The options of TanStack Query's `useQuery` that are safe for a quote. */
  readonly query?:
    | (Pick<
        UseQueryOptions<ReceivedQuote, SwapError, Data>,
        "meta" | "retry" | "retryDelay" | "staleTime" | "throwOnError"
      > & {
        /** If `false`, no quote is requested or returned (default: `true`). */
        readonly enabled?: boolean | undefined
        /**
         * How many milliseconds after a quote the next quote is requested (default: 25000). A new quote is also
         * requested when a quote expires. If `false`, new quotes are requested only by `refresh` and `refetch`.
         */
        readonly refetchInterval?: number | false | undefined
        /** Derives `data` from the quote. */
        readonly select?: ((quote: Quote) => Data) | undefined
      })
    | undefined
}

const onVisibility = (notify: () => void) => focusManager.subscribe(notify)

/** Whether the page is visible. */
const useVisible = (): boolean =>
  useSyncExternalStore(
    onVisibility,
    () => focusManager.isFocused(),
    () => true
  )

/** The number of seconds until a quote expires. */
const useCountdown = (received: ReceivedQuote | undefined): number | undefined => {
  const subscribe = useCallback((tick: () => void) => (received ? onEachSecond(received, tick) : () => {}), [received])
  return useSyncExternalStore(
    subscribe,
    () => received && secondsLeft(received),
    () => undefined
  )
}

/**
 * Returns a live quote. The quote is refreshed before it expires and removed when it expires. It is never shared with
 * another request or component. No quotes are requested while the page is hidden. When the page becomes visible, a new
 * quote is requested.
 */
export const useQuote = <Data = Quote>(
  request: QuoteInput | undefined,
  { debounce = 300, query = {} }: QuoteOptions<Data> = {}
): QuoteResult<Data> => {
  const client = useGeoswap()
  const cache = useQueryClient()
  const [scope] = useState(uniqueId)
  const { enabled = true, refetchInterval = lifetimeMillis - 5_000, select, ...rest } = query
  const active = enabled ? request : undefined
  const settled = useDebounce(active && requestKey(active), debounce)
  const visible = useVisible()
  const options = quoteQueryOptions(client, active, { scope })
  const result = useQuery<ReceivedQuote, SwapError, Data>({
    ...options,
    ...hookDefaults,
    staleTime: refetchInterval === false ? Infinity : 0,
    ...rest,
    ...uncached,
    enabled: active !== undefined && settled && visible,
    // Refetching on focus is not needed: when the page becomes visible, the query is enabled again and refetches.
    refetchOnWindowFocus: false,
    refetchOnMount: true,
    refetchIntervalInBackground: false,
    refetchInterval: ({ state }) => state.status === "success" && refetchInterval,
    select: useCallback(({ quote }: ReceivedQuote) => (quote && select ? select(quote) : quote) as Data, [select])
  })
  const { failureReason, isFetching, refetch } = result
  const state = cache.getQueryState<ReceivedQuote, SwapError>(options.queryKey)
  const left = useCountdown(state?.data)
  // If `select` throws, TanStack Query keeps the data that `select` last returned, possibly for another request.
  const isValid = left !== undefined && left > 0 && result.status === state?.status
  const shown = isValid ? result : withoutData(result)
  const problem = failureReason ?? result.error

  // Whether a refresh is overdue, for example because the machine was asleep.
  const late = left === 0 && refetchInterval !== false && visible && !isFetching && problem === null
  useEffect(() => {
    if (late) void refetch({ cancelRefetch: false })
  }, [late, refetch])

  const canRefresh = active !== undefined && settled
  return {
    ...shown,
    phase:
      shown.isSuccess || shown.isRefetchError
        ? "ready"
        : active === undefined
          ? "idle"
          : problem
            ? "error"
            : isFetching || left === undefined
              ? "loading"
              : "expired",
    secondsLeft: left,
    refresh: useCallback(() => void (canRefresh && refetch({ cancelRefetch: false })), [canRefresh, refetch]),
    refetch: useCallback(
      async (refetchOptions?: RefetchOptions) => {
        const next = await refetch(refetchOptions)
        const isNew = next.isSuccess && Date.now() - next.dataUpdatedAt < lifetimeMillis
        return isNew ? next : withoutData(next)
      },
      [refetch]
    )
  }
}
