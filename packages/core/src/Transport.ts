/** The port to the service: one method per endpoint, and a way to build one from anything that carries HTTP. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Chain from "./Chain.js"
import * as Delegation from "./Delegation.js"
import { decodeAnswer } from "./internal/answer.js"
import { toBuildError, toCallError, toSubmitError } from "./internal/refusal.js"
import * as Operation from "./Operation.js"
import * as Quote from "./Quote.js"
import * as Swap from "./Swap.js"
import {
  type BuildError,
  type CallError,
  isSwapError,
  ProtocolError,
  type SubmitError,
  Unavailable
} from "./SwapError.js"

/** The endpoints of the document, by the last part of their path. */
export type Endpoint =
  | "quote"
  | "delegation"
  | "build-geo-op"
  | "build-solana-tx"
  | "submit"
  | "submit-solana"
  | "status"
  | "chains"

/** A request as it leaves; whoever carries it adds the base address and the API key. */
export interface HttpRequest {
  readonly endpoint: Endpoint
  readonly method: "GET" | "POST"
  /** Path and query, beginning with a slash. */
  readonly path: string
  /** JSON text. */
  readonly body?: string
  /** Headers that go along, in lower case. */
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer as it came. Header names are lower case. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** What differs between services. */
export interface Options {
  /** Which form of `GET /swap/delegation` the service takes; `query` where absent. */
  readonly delegationPath?: "query" | "path" | undefined
}

/** Carries one request. Fails only where no answer came; it does not retry, the programs do. */
export type Send = (request: HttpRequest) => Effect.Effect<HttpResponse, Unavailable | ProtocolError>

/** A transport in promises: what it rejects with should be `Unavailable`; anything else is taken for it. */
export interface PromiseTransport extends Options {
  readonly send: (request: HttpRequest, abort: { readonly signal: AbortSignal }) => Promise<HttpResponse>
}

/** The body of a build call. */
export interface BuildRequest {
  readonly geoQuoteToken: string
  readonly authorization?: Delegation.Authorization
}

/** The body of `POST /swap/submit`. */
export interface SubmitRequest {
  readonly geoOpToken: string
  /** 65 bytes in hex: personal_sign over the raw 32 bytes of `geoOpHash`. */
  readonly signature: string
}

/** The body of `POST /swap/submit-solana`. */
export interface SubmitSolanaRequest {
  readonly geoOpToken: string
  /** Base64. */
  readonly signedTransaction: string
}

/** The methods of a transport. */
export interface Shape {
  readonly quote: (request: Quote.QuoteRequest) => Effect.Effect<Quote.Quote, CallError>
  readonly delegation: (query: Delegation.DelegationQuery) => Effect.Effect<Delegation.Delegation, CallError>
  readonly buildGeoOp: (request: BuildRequest) => Effect.Effect<Operation.BuiltOperation, BuildError>
  readonly buildSolanaTx: (request: BuildRequest) => Effect.Effect<Operation.BuiltTransaction, BuildError>
  readonly submit: (request: SubmitRequest) => Effect.Effect<Swap.Swap, SubmitError>
  readonly submitSolana: (request: SubmitSolanaRequest) => Effect.Effect<Swap.Swap, SubmitError>
  readonly status: (swapId: string) => Effect.Effect<Swap.Swap, CallError>
  readonly chains: Effect.Effect<ReadonlyArray<Chain.Chain>, CallError>
}

/** The service, as the programs see it. */
export class Transport extends Context.Service<Transport, Shape>()("@geoswap/core/Transport") {}

/** Amounts are the only thing in a request that JSON has no word for; the rest has the form of the wire already. */
const amountsAsText = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value)

const ChainList = Schema.Union([Schema.Array(Chain.Chain), Schema.Struct({ chains: Schema.Array(Chain.Chain) })])

/**
 * A transport over anything that can carry a request: this package writes the requests and reads the answers, `send`
 * brings them there and back.
 */
export const make = (send: Send, options: Options = {}): Shape => {
  const get = (endpoint: Endpoint, path: string) => send({ endpoint, method: "GET", path })
  const post = (endpoint: Endpoint, body: unknown) =>
    send({ endpoint, method: "POST", path: `/swap/${endpoint}`, body: JSON.stringify(body, amountsAsText) })

  const call =
    <A, E>(endpoint: Endpoint, schema: Schema.ConstraintDecoder<A>, refuse: (answer: HttpResponse) => E) =>
    (answer: HttpResponse): Effect.Effect<A, E | ProtocolError> =>
      answer.status >= 200 && answer.status < 300 ? decodeAnswer(endpoint, schema, answer) : Effect.fail(refuse(answer))

  const build = <A>(endpoint: "build-geo-op" | "build-solana-tx", schema: Schema.ConstraintDecoder<A>) => {
    return (request: BuildRequest) =>
      Effect.flatMap(
        post(endpoint, request),
        call(endpoint, schema, (answer) => toBuildError(endpoint, answer, request.authorization !== undefined))
      )
  }

  const submit = (endpoint: "submit" | "submit-solana", body: unknown) =>
    Effect.flatMap(
      post(endpoint, body),
      call(endpoint, Swap.Swap, (answer) => toSubmitError(endpoint, answer))
    )

  const ask = <A>(endpoint: Endpoint, schema: Schema.ConstraintDecoder<A>) =>
    call(endpoint, schema, (answer) => toCallError(endpoint, answer))

  return {
    quote: (request) => Effect.flatMap(post("quote", request), ask("quote", Quote.Quote)),
    delegation: ({ chainId, walletAddress }) => {
      const wallet = encodeURIComponent(walletAddress)
      const path =
        options.delegationPath === "path" ? `/${chainId}/${wallet}` : `?chainId=${chainId}&walletAddress=${wallet}`
      return Effect.flatMap(get("delegation", `/swap/delegation${path}`), ask("delegation", Delegation.Delegation))
    },
    buildGeoOp: build("build-geo-op", Operation.BuiltOperation),
    buildSolanaTx: build("build-solana-tx", Operation.BuiltTransaction),
    submit: ({ geoOpToken, signature }) => submit("submit", { geoOpToken, signature }),
    submitSolana: ({ geoOpToken, signedTransaction }) => submit("submit-solana", { geoOpToken, signedTransaction }),
    status: (swapId) =>
      get("status", `/swap/status/${encodeURIComponent(swapId)}`).pipe(
        Effect.flatMap(ask("status", Swap.Swap)),
        Effect.filterOrFail(
          (swap) => swap.swapId === swapId,
          () =>
            new ProtocolError({
              endpoint: "status",
              field: "swapId",
              message: "The service answered with another swap than the one asked for."
            })
        )
      ),
    chains: Effect.map(Effect.flatMap(get("chains", "/swap/chains"), ask("chains", ChainList)), (answer) =>
      "chains" in answer ? answer.chains : answer
    )
  }
}

/** The header that ties the service's trace to the caller's (W3C Trace Context). */
const traceparent = Effect.map(Effect.option(Effect.currentSpan), (span) =>
  span._tag === "Some"
    ? { traceparent: `00-${span.value.traceId}-${span.value.spanId}-${span.value.sampled ? "01" : "00"}` }
    : {}
)

const toSendError = (cause: unknown): Unavailable | ProtocolError =>
  isSwapError(cause) && (cause._tag === "Unavailable" || cause._tag === "ProtocolError")
    ? cause
    : new Unavailable({ reason: "network", message: "The service could not be reached: check the connection.", cause })

/** A transport from a function that returns promises. */
export const fromPromise = ({ send, ...options }: PromiseTransport): Shape =>
  make(
    (request) =>
      Effect.flatMap(traceparent, (headers) =>
        Effect.tryPromise({ try: (signal) => send({ ...request, headers }, { signal }), catch: toSendError })
      ),
    options
  )
