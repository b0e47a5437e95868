/** A client for pages that only show prices. It is half the size of a client that swaps. */
import * as Effect from "effect/Effect"
import { Families } from "../Chain.js"
import { empty, familyOf } from "../Network.js"
import * as Quote from "../Quote.js"
import type { Client } from "./client.js"
import type { CallOptions, ClientOptions } from "./options.js"
import { makePrices, sendFromPromise } from "../codecs/exchange.js"
import { withTimeout } from "../programs/timeout.js"
import { defaults, RetrySettings } from "../RetrySettings.js"
import { runPromise } from "./runPromise.js"

/** A client that cannot sign. Its methods are those of `Client`. */
type QuoteClient = Pick<Client, "chains" | "indicativeQuote" | "quote">

/**
 * Creates a client that only requests prices. It includes no recovery, no signing and no stores, so that a page with a
 * price stays small. `createClient` has the same methods.
 *
 * @example
 * ```ts
 * const client = createQuoteClient({ network, transport: fetchTransport({ baseUrl: location.origin }) })
 * const { output } = await client.indicativeQuote(await tokens.request("10 USDC@base", "WETH@arbitrum"))
 * ```
 */
export const createQuoteClient = ({
  network = empty,
  transport
}: Pick<ClientOptions, "network" | "transport">): QuoteClient => {
  const prices = makePrices(sendFromPromise(transport))
  const families = familyOf(network)
  const single =
    <I, A, E>(call: (input: I) => Effect.Effect<A, E>): ((input: I, options?: CallOptions) => Promise<A>) =>
    (input, { signal, timeout: requestTimeout = defaults.requestTimeout } = {}) =>
      runPromise(
        withTimeout(call(input)).pipe(
          Effect.provideService(RetrySettings, { ...defaults, requestTimeout }),
          Effect.provideService(Families, families)
        ),
        signal
      )
  const chains = single(() => prices.chains)
  return {
    chains: (options) => chains(undefined, options),
    indicativeQuote: single((input: Quote.IndicativeQuoteInput) =>
      Effect.flatMap(Quote.indicativeRequest(input), (request) =>
        Effect.map(prices.indicativeQuote(request), (answer) => Quote.withCosts(request, answer))
      )
    ),
    quote: single((input: Quote.QuoteInput) =>
      Effect.flatMap(Quote.request(input), (request) =>
        Effect.map(prices.quote(request), (answer) => Quote.withCosts(request, answer))
      )
    )
  }
}
