/** A price, as a query that is nobody else's, and how long it lasts. */
import { Quote as Quotes } from "@geoswap/core"
import type { Client, Quote, QuoteInput } from "@geoswap/core/promise"
import { clientId, requestKey, root } from "./keys.js"
import { rejectDisabled, type Options } from "./options.js"
import { queryDefaults } from "./retry.js"

/** A quote and when it came, by both clocks of the machine. */
export interface ReceivedQuote {
  readonly quote: Quote
  /** `performance.now()` at its receipt: nobody sets that clock, but it may stand still while the machine sleeps. */
  readonly receivedAt: number
  /** `Date.now()` at its receipt: goes on while the machine sleeps, but may be set. */
  readonly receivedOn: number
}

/** How long a quote lasts from its receipt. */
export const lifetimeMillis = Quotes.lifetimeMillis

/** Milliseconds that a quote still lasts; 0 once it ran out. The clock by which it is older counts. */
export const millisLeft = ({ receivedAt, receivedOn }: Omit<ReceivedQuote, "quote">): number =>
  Math.max(0, lifetimeMillis - Math.max(performance.now() - receivedAt, Date.now() - receivedOn))

/** The same in whole seconds: 0 context that it ran out. */
export const secondsLeft = (received: Omit<ReceivedQuote, "quote">): number => Math.ceil(millisLeft(received) / 1_000)

/** Calls back with each second that a quote loses, the last time when it ran out. Gives what stops it. */
export const onEachSecond = (received: Omit<ReceivedQuote, "quote">, tick: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  // Aimed at the next whole second each time: late timers do not add up.
  const arm = () => {
    const left = millisLeft(received)
    if (left === 0) return
    timer = setTimeout(
      () => {
        tick()
        arm()
      },
      left % 1_000 || 1_000
    )
  }
  arm()
  return () => clearTimeout(timer)
}

/** Whose quote it is. */
export interface QuoteScope {
  /** A text that is unique for each place that shows quotes, so that none ever sees the quote of another. */
  readonly scope: string
}

/**
 * The options of a query for a price; without a request, it is off. What a cache would do is turned off, whatever the
 * defaults of the `QueryClient` say: no placeholder, no persisted copy, gone with its last observer.
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
  persister: (ask, context) => ask(context)
})
