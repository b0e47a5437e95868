/** A query for a quote, and its lifetime. */
import { Quote as Quotes } from "@geoswap/core"
import type { Client, Quote, QuoteInput } from "@geoswap/core/promise"
import { clientId, requestKey, root } from "./keys.js"
import { rejectDisabled, type Options } from "./options.js"
import { queryDefaults } from "./retry.js"

/** A quote and when it was received, on both clocks. */
export interface ReceivedQuote {
  readonly quote: Quote
  /** `performance.now()` at receipt. This clock cannot be set, but may stop while the machine sleeps. */
  readonly receivedAt: number
  /** `Date.now()` at receipt. This clock runs while the machine sleeps, but can be set. */
  readonly receivedOn: number
}

/** The lifetime of a quote, from its receipt. */
export const lifetimeMillis = Quotes.lifetimeMillis

/** Returns the remaining lifetime in milliseconds, or 0 after it expired, by the clock that has advanced further. */
export const millisLeft = ({ receivedAt, receivedOn }: Omit<ReceivedQuote, "quote">): number =>
  Math.max(0, lifetimeMillis - Math.max(performance.now() - receivedAt, Date.now() - receivedOn))

/** Returns the remaining lifetime in whole seconds, or 0 after it expired. */
export const secondsLeft = (received: Omit<ReceivedQuote, "quote">): number => Math.ceil(millisLeft(received) / 1_000)

/** Calls back every second until the quote expires. Returns a function that stops it. */
export const onEachSecond = (received: Omit<ReceivedQuote, "quote">, tick: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  // Each timer targets the next whole second, so delays do not add up.
  const schedule = () => {
    const left = millisLeft(received)
    if (left === 0) return
    timer = setTimeout(
      () => {
        tick()
        schedule()
      },
      left % 1_000 || 1_000
    )
  }
  schedule()
  return () => clearTimeout(timer)
}

/** The scope of a quote. */
export interface QuoteScope {
  /** A string that is unique for each component that shows quotes, so they never share a quote. */
  readonly scope: string
}

/**
 * Returns the options of a query for a quote. It is disabled without a request. Caching is off, whatever the defaults of
 * the `QueryClient`: no placeholder, no persisted copy, removed with its last observer.
 */
export const quoteQueryOptions = (
  client: Client,
  request: QuoteInput | undefined,
  { scope }: QuoteScope
): Options<ReceivedQuote, readonly [typeof root, "quote", string, string, string | null]> => ({
  ...queryDefaults,
  queryKey: [root, "quote", clientId(client), scope, request ? requestKey(request) : null],
  queryFn: async ({ signal }) => {
    if (request === undefined) return rejectDisabled()
    const quote = await client.quote(request, { signal })
    return { quote, receivedAt: performance.now(), receivedOn: Date.now() }
  },
  enabled: request !== undefined,
  gcTime: 0,
  staleTime: 0,
  structuralSharing: false,
  placeholderData: () => undefined,
  persister: (fetchQuote, context) => fetchQuote(context)
})
