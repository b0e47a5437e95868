/** A query for a quote, and the quote's lifetime. */
import { Quote as Quotes } from "@geoswap/core"
import type { Client, Quote, QuoteInput } from "@geoswap/core/promise"
import { clientId, requestKey, root } from "./keys.js"
import { type Options, rejectMissing, uncached, withHidden } from "./options.js"
import { queryDefaults } from "./retry.js"

/** A quote and the time at which it was received, according to two clocks. */
export interface ReceivedQuote {
  /** The quote, or `undefined` once it has expired. Serializers ignore this property, so a quote is never persisted. */
  readonly quote: Quote | undefined
  /**
   * The value of `performance.now()` at receipt. This clock cannot be changed by the user, but it may stop while the
   * machine is asleep.
   */
  readonly receivedAt: number
  /** The value of `Date.now()` at receipt. This clock runs while the machine is asleep, but the user can change it. */
  readonly receivedOn: number
}

/** The lifetime of a quote in milliseconds, measured from its receipt. */
export const lifetimeMillis = Quotes.lifetimeMillis

type Receipt = Omit<ReceivedQuote, "quote">

/** Returns the remaining lifetime in milliseconds, measured by the clock that has advanced further. */
export const millisLeft = ({ receivedAt, receivedOn }: Receipt): number =>
  Math.max(0, lifetimeMillis - Math.max(performance.now() - receivedAt, Date.now() - receivedOn))

/** Returns the remaining lifetime in whole seconds, or 0 once the quote has expired. */
export const secondsLeft = (received: Receipt): number => Math.ceil(millisLeft(received) / 1_000)

/** Calls a function every second until the quote expires. Returns a function that stops the calls. */
export const onEachSecond = (received: Receipt, tick: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  // Each timer targets the next whole second, so delays do not accumulate.
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

const receive = (quote: Quote): ReceivedQuote => {
  const times = { receivedAt: performance.now(), receivedOn: Date.now() }
  let held: Quote | undefined = quote
  return withHidden(times, "quote", () => {
    if (millisLeft(times) === 0) held = undefined
    return held
  })
}

/**
 * Returns query options for a quote. The query is disabled without a request. Caching is off, regardless of the
 * `QueryClient` defaults: the quote is removed when it expires and with its last observer. `scope` is a string that is
 * unique to each component that shows quotes, so that components never share a quote.
 */
export const quoteQueryOptions = (
  client: Client,
  request: QuoteInput | undefined,
  { scope }: { readonly scope: string }
): Options<ReceivedQuote> => ({
  ...queryDefaults,
  ...uncached,
  queryKey: [root, "quote", clientId(client), scope, request ? requestKey(request) : null],
  queryFn: async ({ signal }) =>
    request ? receive(await client.quote(request, { signal })) : rejectMissing("request"),
  enabled: request !== undefined,
  staleTime: 0
})
