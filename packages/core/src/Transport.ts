/** The port for calling the service: one method per endpoint, on top of any HTTP client. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Chain from "./Chain.js"
import * as Delegation from "./Delegation.js"
import { exchangeWith, get, makePrices, post, sendFromPromise } from "./codecs/exchange.js"
import type { Endpoint, HttpRequest, HttpResponse } from "./codecs/http.js"
import { toBuildError, toCallError, toChangeError, toSubmitError } from "./codecs/errorResponse.js"
import type { SwapId } from "./Id.js"
import * as Operation from "./Operation.js"
import type { Method } from "./Payment.js"
import type * as Quote from "./Quote.js"
import * as Swap from "./Swap.js"
import type { CallError, ChangeError, ProtocolError, QuoteError, BuildError, Unavailable } from "./SwapError.js"

export type { Endpoint, HttpRequest, HttpResponse }

/** Options for behavior that differs between services. */
export interface Options {
  /**
   * The identity of the service, such as the origin and path of its base URL. Flows that were signed for one service are
   * never sent to another. If omitted, the flows of this transport name no service.
   */
  readonly service?: string | undefined
  /** How the service expects to receive the parameters of `GET /swap/delegation` (default: `query`). */
  readonly delegationPath?: "query" | "path" | undefined
  /**
   * Whether requests carry the caller's trace in a W3C Trace Context header (default: `true` in the Effect API, `false`
   * in the promise API). In a browser, the service's CORS configuration must allow the header.
   */
  readonly traceparent?: boolean | undefined
}

/** Sends one request. Fails only if there is no usable response. Does not retry, because the swap programs do. */
export type Send = (request: HttpRequest) => Effect.Effect<HttpResponse, Unavailable | ProtocolError>

/** A transport whose `send` returns a promise. Any rejection is treated as `Unavailable`. */
export interface PromiseTransport extends Options {
  /** The host to name in the error if a request fails without a response. */
  readonly host?: string | undefined
  readonly send: (request: HttpRequest, abort: { readonly signal: AbortSignal }) => Promise<HttpResponse>
}

/** The body of a build call. */
export interface BuildRequest {
  readonly geoQuoteToken: string
  readonly authorization?: Delegation.Authorization
  /**
   * EVM only: the token of a refused operation. The new operation reuses the refused operation's nonce, so only one of
   * the two can be executed.
   */
  readonly previousGeoOpToken?: string
  /** EVM only: how the wallet pays. Without it, the wallet pays with a delegation. */
  readonly paymentMethod?: Method
}

/** The body of `POST /swap/submit`. */
export interface SubmitRequest {
  readonly geoOpToken: string
  /**
   * 65 bytes in hex: the personal_sign signature over the raw 32 bytes of `geoOpHash`, or the signature of the typed
   * data whose digest is `geoOpHash`.
   */
  readonly signature: string
  /** Only with `erc2612`: the signature of the permit, 65 bytes in hex. */
  readonly permitSignature?: string
}

/** The body of `POST /swap/submit-solana`. */
export interface SubmitSolanaRequest {
  readonly geoOpToken: string
  /** The signed transaction, in base64. */
  readonly signedTransaction: string
}

/** The methods of a transport. */
export interface Transport {
  /** The identity of the service. See `Options`. */
  readonly service?: string | undefined
  readonly quote: (request: Quote.QuoteRequest) => Effect.Effect<Quote.QuoteResponse, QuoteError>
  /** Not every service offers indicative quotes. A service that does not know them rejects a request without a wallet. */
  readonly indicativeQuote: (
    request: Quote.IndicativeQuoteRequest
  ) => Effect.Effect<Quote.IndicativeQuoteResponse, QuoteError>
  readonly delegation: (query: Delegation.DelegationQuery) => Effect.Effect<Delegation.Delegation, CallError>
  /** Sends an authorization without a swap. Not every service offers this. Safe to repeat with the same bytes. */
  readonly changeDelegation: (request: Delegation.ChangeRequest) => Effect.Effect<Delegation.Change, ChangeError>
  /** Reads the state of a delegation change. */
  readonly delegationStatus: (changeId: string) => Effect.Effect<Delegation.Change, CallError>
  readonly buildGeoOp: (request: BuildRequest) => Effect.Effect<Operation.BuiltOperation, BuildError>
  readonly buildSolanaTx: (request: BuildRequest) => Effect.Effect<Operation.BuiltTransaction, BuildError>
  readonly submit: (request: SubmitRequest) => Effect.Effect<Swap.Swap, BuildError>
  readonly submitSolana: (request: SubmitSolanaRequest) => Effect.Effect<Swap.Swap, BuildError>
  readonly status: (swapId: SwapId) => Effect.Effect<Swap.Swap, CallError>
  readonly chains: Effect.Effect<ReadonlyArray<Chain.Chain>, CallError>
}

/** The transport that the swap programs use. */
export const Transport: Context.Service<Transport, Transport> =
  /* @__PURE__ */ Context.Service<Transport>("@geoswap/core/Transport")

/**
 * Creates a transport from a function that sends HTTP requests. The transport encodes the requests and decodes the
 * responses.
 */
export const make = (send: Send, options: Options = {}): Transport => {
  const exchange = exchangeWith(send)

  const build =
    <A>(endpoint: Endpoint, schema: Schema.ConstraintDecoder<A>) =>
    (request: BuildRequest) =>
      exchange(post(endpoint, request), schema, toBuildError(request.authorization !== undefined))

  const submit = (endpoint: Endpoint, fields: object) => exchange(post(endpoint, fields), Swap.Swap, toSubmitError)

  return {
    ...makePrices(send),
    service: options.service,
    delegation: ({ chainId, walletAddress }) => {
      const wallet = encodeURIComponent(walletAddress)
      const rest =
        options.delegationPath === "path" ? `/${chainId}/${wallet}` : `?chainId=${chainId}&walletAddress=${wallet}`
      return exchange(get("delegation", rest), Delegation.Delegation, toCallError)
    },
    changeDelegation: ({ walletAddress, authorization }) =>
      exchange(post("change-delegation", { walletAddress, authorization }), Delegation.Change, toChangeError),
    delegationStatus: (changeId) =>
      exchange(
        get("delegation-status", `/${encodeURIComponent(changeId)}`),
        Delegation.Change.check(
          Schema.makeFilter(
            (change) => change.changeId === changeId || { path: ["changeId"], issue: "belongs to another change" }
          )
        ),
        toCallError
      ),
    buildGeoOp: build("build-geo-op", Operation.BuiltOperation),
    buildSolanaTx: build("build-solana-tx", Operation.BuiltTransaction),
    submit: ({ geoOpToken, signature, permitSignature }) =>
      submit("submit", { geoOpToken, signature, permitSignature }),
    submitSolana: ({ geoOpToken, signedTransaction }) => submit("submit-solana", { geoOpToken, signedTransaction }),
    status: (swapId) =>
      exchange(
        get("status", `/${encodeURIComponent(swapId)}`),
        Swap.Swap.check(
          Schema.makeFilter((swap) => swap.swapId === swapId || { path: ["swapId"], issue: "belongs to another swap" })
        ),
        toCallError
      )
  }
}

/** The header that links the service's trace to the caller's trace. */
const traceHeaders = Effect.match(Effect.currentSpan, {
  onFailure: () => ({}),
  onSuccess: ({ traceId, spanId, sampled }) => ({ traceparent: `00-${traceId}-${spanId}-0${Number(sampled)}` })
})

/** Creates a transport from a function that returns promises. `traced` is the default for `traceparent`. */
export const fromPromise = (transport: PromiseTransport, traced = true): Transport =>
  make(sendFromPromise(transport, (transport.traceparent ?? traced) ? traceHeaders : undefined), transport)
