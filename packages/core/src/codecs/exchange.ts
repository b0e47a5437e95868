/** Sends requests to the service and decodes its responses. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Chain from "../Chain.js"
import * as Quote from "../Quote.js"
import { isSwapError, type ProtocolError, Unavailable } from "../SwapError.js"
import type { PromiseTransport, Send, Transport } from "../Transport.js"
import { causeMessage, systemCodeOf } from "./causeMessage.js"
import { decodeResponse } from "./decodeResponse.js"
import { toCallError, toQuoteError } from "./errorResponse.js"
import type { Endpoint, HttpRequest, HttpResponse } from "./http.js"

/** JSON has no bigint, so amounts are sent as strings. */
const amountsAsStrings = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value)

const ChainList = Schema.Union([Schema.Array(Chain.Chain), Schema.Struct({ chains: Schema.Array(Chain.Chain) })])

/** A request without a body. */
export const get = (endpoint: Endpoint, rest = ""): HttpRequest => ({
  endpoint,
  method: "GET",
  path: `/swap/${endpoint}${rest}`
})

/** A request with a JSON body. */
export const post = (endpoint: Endpoint, fields: object): HttpRequest => ({
  endpoint,
  method: "POST",
  path: `/swap/${endpoint}`,
  body: JSON.stringify(fields, amountsAsStrings)
})

/** Returns a function that sends a request and decodes the response. */
export const exchangeWith =
  (send: Send) =>
  <A, E>(
    request: HttpRequest,
    schema: Schema.ConstraintDecoder<A>,
    refuse: (endpoint: Endpoint, answer: HttpResponse) => E
  ): Effect.Effect<A, E | Unavailable | ProtocolError> =>
    Effect.flatMap(
      Effect.suspend(() => send(request)),
      (answer): Effect.Effect<A, E | ProtocolError> =>
        answer.status >= 200 && answer.status < 300
          ? decodeResponse(request.endpoint, schema, answer)
          : Effect.fail(refuse(request.endpoint, answer))
    )

/** Creates the methods of a transport that a page needs to show prices. */
export const makePrices = (send: Send): Pick<Transport, "quote" | "indicativeQuote" | "chains"> => {
  const exchange = exchangeWith(send)
  return {
    quote: (request) => exchange(post("quote", request), Quote.QuoteResponse, toQuoteError(request)),
    indicativeQuote: (request) =>
      exchange(post("quote", request), Quote.IndicativeQuoteResponse, toQuoteError(request)),
    chains: Effect.map(exchange(get("chains"), ChainList, toCallError), (answer) =>
      "chains" in answer ? answer.chains : answer
    )
  }
}

const toSendError =
  (host: string | undefined) =>
  (cause: unknown): Unavailable | ProtocolError => {
    if (isSwapError(cause) && (cause._tag === "Unavailable" || cause._tag === "ProtocolError")) return cause
    const code = systemCodeOf(cause)
    return new Unavailable({
      reason: "network",
      message: `The service${host ? ` at ${host}` : ""} could not be reached${code ? `: ${code}` : ""}.`,
      cause: causeMessage(cause)
    })
  }

/** Converts the `send` of a transport that returns promises. */
export const sendFromPromise =
  (transport: PromiseTransport, headers: Effect.Effect<Readonly<Record<string, string>>> = Effect.succeed({})): Send =>
  (request) =>
    Effect.flatMap(headers, (added) =>
      Effect.tryPromise({
        try: (signal) => transport.send({ ...request, headers: added }, { signal }),
        catch: toSendError(transport.host)
      })
    )
