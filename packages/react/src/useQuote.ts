/** A price that is always fresh. */
import type { Quote, QuoteInput, SwapError } from "@geoswap/core/promise"
import { focusManager, useQuery } from "@tanstack/react-query"
import { useCallback, useEffect, useState, useSyncExternalStore } from "react"
import { useGeoswap } from "./GeoswapProvider.js"
import { useDebounce } from "./internal/useDebounce.js"
import { requestKey, uniqueId } from "./query/keys.js"
import { hookDefaults } from "./query/retry.js"
import { lifetimeMillis, onEachSecond, quoteQueryOptions, type ReceivedQuote, secondsLeft } from "./query/quote.js"

/** A price, or why there is none. */
export interface QuoteState {
  /** A quote for this very request that still lasts; never one of another request, or one that ran out. */
  readonly quote: Quote | undefined
  readonly status: "idle" | "loading" | "ready" | "expired" | "error"
  /** Of the last attempt. The status is `error` only where there is no live quote. */
  readonly error: SwapError | null
  /** Whether a quote is being asked for, or waited for while the service asks for patience. */
  readonly isFetching: boolean
  /** Whole seconds that the quote still lasts; 0 once it ran out. */
  readonly secondsLeft: number | undefined
  /** Asks now, unless that is being done. */
  readonly refresh: () => void
}

/** How quotes are asked for. */
export interface QuoteOptions {
  /** `false` asks nothing and shows nothing. */
  readonly enabled?: boolean | undefined
  /** Whether a quote is renewed before it runs out; so it is where absent. */
  readonly autoRefresh?: boolean | undefined
  /** How many milliseconds before the end, 5000 where absent. */
  readonly refreshBefore?: number | undefined
  /** How many milliseconds the request has to stay the same before it is asked, 300 where absent. */
  readonly debounce?: number | undefined
}

const onVisibility = (notify: () => void) => focusManager.subscribe(notify)
const isVisible = () => focusManager.isFocused()

/** Whether somebody can see the page. */
const useVisible = (): boolean => useSyncExternalStore(onVisibility, isVisible, () => true)

/** The seconds that a quote still lasts. */
const useCountdown = (received: ReceivedQuote | undefined): number | undefined => {
  const subscribe = useCallback((tick: () => void) => (received ? onEachSecond(received, tick) : () => {}), [received])
  return useSyncExternalStore(
    subscribe,
    () => received && secondsLeft(received),
    () => undefined
  )
}

/**
 * A price that is always fresh: renewed before it runs out, hidden when it did, and never that of another request or
 * of another component. Asks nothing while the page is hidden, and anew when it is hookDefaults again.
 */
export const useQuote = (
  request: QuoteInput | undefined,
  { debounce = 300, enabled = true, autoRefresh = true, refreshBefore = 5_000 }: QuoteOptions = {}
): QuoteState => {
  const client = useGeoswap()
  const [scope] = useState(uniqueId)
  const asked = enabled ? request : undefined
  const settled = useDebounce(asked && requestKey(asked), debounce)
  const visible = useVisible()
  const { data, error, failureReason, isFetching, refetch } = useQuery({
    ...quoteQueryOptions(client, asked, { scope }),
    ...hookDefaults,
    enabled: asked !== undefined && settled && visible,
    // Coming back into view enables it again, which asks anew.
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

  // A renewal that did not happen in time, because the machine slept.
  const late = left === 0 && autoRefresh && visible && !isFetching && problem === null
  useEffect(() => {
    if (late) void refetch({ cancelRefetch: false })
  }, [late, refetch])

  const askable = asked !== undefined && settled
  return {
    quote: live,
    status: live
      ? "ready"
      : asked === undefined
        ? "idle"
        : problem
          ? "error"
          : isFetching || left === undefined
            ? "loading"
            : "expired",
    error: problem,
    isFetching,
    secondsLeft: left,
    refresh: useCallback(() => void (askable && refetch({ cancelRefetch: false })), [askable, refetch])
  }
}
