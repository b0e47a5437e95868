/** A live quote. */
import type { Quote, QuoteInput, SwapError } from "@geoswap/core/promise"
import { focusManager, useQuery } from "@tanstack/react-query"
import { useCallback, useEffect, useState, useSyncExternalStore } from "react"
import { useGeoswap } from "./GeoswapProvider.js"
import { useDebounce } from "./internal/useDebounce.js"
import { requestKey, uniqueId } from "./query/keys.js"
import { hookDefaults } from "./query/retry.js"
import { lifetimeMillis, onEachSecond, quoteQueryOptions, type ReceivedQuote, secondsLeft } from "./query/quote.js"

/** The state that `useQuote` returns. */
export interface QuoteState {
  /**
   * A valid quote for the current request, or `undefined`. An expired quote or a quote for another request is never
   * returned.
   */
  readonly quote: Quote | undefined
  readonly status: "idle" | "loading" | "ready" | "expired" | "error"
  /** The error from the last attempt. The status is `error` only if there is no valid quote. */
  readonly error: SwapError | null
  /** Whether a request is in flight or waiting for a retry. */
  readonly isFetching: boolean
  /** The remaining lifetime in whole seconds, or 0 once the quote has expired. */
  readonly secondsLeft: number | undefined
  /** Requests a new quote, unless a request is in flight. */
  readonly refresh: () => void
}

/** Options for `useQuote`. */
export interface QuoteOptions {
  /** If `false`, no quote is requested or returned (default: `true`). */
  readonly enabled?: boolean | undefined
  /** Whether a new quote is requested before the current one expires (default: `true`). */
  readonly autoRefresh?: boolean | undefined
  /** How many milliseconds before expiry to request a new quote (default: 5000). */
  readonly refreshBefore?: number | undefined
  /** How many milliseconds a changed request must stay the same before it is sent (default: 300). */
  readonly debounce?: number | undefined
}

const onVisibility = (notify: () => void) => focusManager.subscribe(notify)
const isVisible = () => focusManager.isFocused()

/** Whether the page is visible. */
const useVisible = (): boolean => useSyncExternalStore(onVisibility, isVisible, () => true)

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
export const useQuote = (
  request: QuoteInput | undefined,
  { debounce = 300, enabled = true, autoRefresh = true, refreshBefore = 5_000 }: QuoteOptions = {}
): QuoteState => {
  const client = useGeoswap()
  const [scope] = useState(uniqueId)
  const active = enabled ? request : undefined
  const settled = useDebounce(active && requestKey(active), debounce)
  const visible = useVisible()
  const { data, error, failureReason, isFetching, refetch } = useQuery({
    ...quoteQueryOptions(client, active, { scope }),
    ...hookDefaults,
    enabled: active !== undefined && settled && visible,
    // Refetching on focus is not needed: when the page becomes visible, the query is enabled again and refetches.
    refetchOnWindowFocus: false,
    refetchOnMount: true,
    refetchIntervalInBackground: false,
    staleTime: autoRefresh ? 0 : Infinity,
    refetchInterval: ({ state }) =>
      autoRefresh && state.status === "success" && Math.max(1_000, lifetimeMillis - refreshBefore)
  })
  const left = useCountdown(data)
  const problem = failureReason ?? error
  const live = left === undefined || left === 0 ? undefined : data?.quote

  // Whether a refresh is overdue, for example because the machine was asleep.
  const late = left === 0 && autoRefresh && visible && !isFetching && problem === null
  useEffect(() => {
    if (late) void refetch({ cancelRefetch: false })
  }, [late, refetch])

  const canRefresh = active !== undefined && settled
  return {
    quote: live,
    status: live
      ? "ready"
      : active === undefined
        ? "idle"
        : problem
          ? "error"
          : isFetching || left === undefined
            ? "loading"
            : "expired",
    error: problem,
    isFetching,
    secondsLeft: left,
    refresh: useCallback(() => void (canRefresh && refetch({ cancelRefetch: false })), [canRefresh, refetch])
  }
}
