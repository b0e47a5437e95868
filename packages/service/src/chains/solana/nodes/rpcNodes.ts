/** The RPC nodes of a Solana chain, with timeouts, response schemas, and failover. */
import { isRedirect, urlWithoutRedirects } from "@geoswap/core/adapters"
import {
  createDefaultRpcTransport,
  createSolanaRpcFromTransport,
  isSolanaError,
  type Rpc,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  type SolanaRpcApi
} from "@solana/kit"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SolanaChain } from "../../../config/Config.js"
import * as CountRpc from "../../../metrics/countRpc.js"
import type { RpcFault } from "../../../metrics/series.js"
import { ChainUnavailable } from "../../ChainError.js"
import * as Failover from "../../failover.js"
import { toBase64 } from "../transactions/wireTransaction.js"
import { printable } from "./describeError.js"

interface Pending {
  readonly send: (options: { readonly abortSignal: AbortSignal }) => Promise<unknown>
}

/** A failed request, and how it failed. */
export interface Failure {
  readonly fault: RpcFault
  readonly error: ChainUnavailable
}

type Ask<E> = <A>(
  method: string,
  schema: Schema.ConstraintDecoder<A>,
  call: (rpc: Rpc<SolanaRpcApi>) => Pending
) => Effect.Effect<A, E>

/** One node. */
export interface Node {
  /** The host without the path and credentials, which may be secret. */
  readonly host: string
  /** Sends a request. The response must match the schema. */
  readonly ask: Ask<ChainUnavailable>
  /** Like `ask`, but also returns the kind of a failure. */
  readonly tryAsk: Ask<Failure>
  /** Creates the error for an invalid response from the node. */
  readonly invalidAnswer: (reason: string) => ChainUnavailable
  /** Creates the error for a node that has not reached the required slot. */
  readonly behind: (slot: bigint, since: bigint) => ChainUnavailable
}

/**
 * The parts of a node's URL that may be secret: the credentials, path and query. Short strings are not treated as
 * secrets.
 */
const secretsOf = ({ password, pathname, searchParams, username }: URL): ReadonlyArray<string> =>
  [username, password, ...pathname.split("/"), ...searchParams.values()].filter(({ length }) => length >= 4)

/** Moves credentials from the URL to a header, because `fetch` rejects URLs that contain credentials. */
const headersOf = ({ password, username }: URL) => {
  if (username === "") return {}
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${toBase64(new TextEncoder().encode(credentials))}` }
}

const reasonOf = (cause: unknown) => {
  if (isSolanaError(cause, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) {
    const { statusCode } = cause.context
    return isRedirect(statusCode) ? "a redirect, which is not followed" : `HTTP ${statusCode}`
  }
  if (isSolanaError(cause)) {
    const { context } = cause
    return "__serverMessage" in context ? `${context.__code}, ${context.__serverMessage}` : `${context.__code}`
  }
  const inner = cause instanceof Error ? cause.cause : undefined
  if (inner instanceof Error && "code" in inner) return `no connection, ${String(inner.code)}`
  return cause instanceof SyntaxError ? "invalid JSON" : "no response"
}

const faultOf = (cause: unknown): RpcFault => {
  if (isSolanaError(cause, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) return "status"
  if (isSolanaError(cause)) return "refused"
  return cause instanceof DOMException && cause.name === "TimeoutError" ? "timeout" : "unreadable"
}

const nodeOf = (chainId: number, address: string, timeoutMillis: number): Node => {
  const url = URL.canParse(address) ? new URL(address) : new URL("http://unreadable.invalid")
  const { host } = url
  const secrets = secretsOf(url)
  const headers = headersOf(url)
  url.username = ""
  url.password = ""
  const rpc = createSolanaRpcFromTransport(createDefaultRpcTransport({ url: urlWithoutRedirects(url.href), headers }))

  const unavailable = (reason: string, timeout: boolean) => {
    const safe = secrets.reduce((text, secret) => text.replaceAll(secret, "…"), reason)
    return new ChainUnavailable({ chainId, message: `${host} ${printable(safe)}.`, timeout })
  }
  const invalidAnswer = (reason: string) => unavailable(reason, false)
  const behind = (slot: bigint, since: bigint) =>
    new ChainUnavailable({
      chainId,
      message: `${host} is at slot ${slot}, but slot ${since} is required.`,
      timeout: false,
      behind: true
    })
  const counted = CountRpc.make(chainId, host)
  const tryAsk: Node["tryAsk"] = (method, schema, call) => {
    const response = Effect.tryPromise({
      try: (interrupted) => {
        // The timeout uses real time, not Effect's clock.
        const abortSignal = AbortSignal.any([interrupted, AbortSignal.timeout(timeoutMillis)])
        return call(rpc).send({ abortSignal })
      },
      catch: (cause) => {
        const fault = faultOf(cause)
        const error =
          fault === "timeout"
            ? unavailable(`did not respond to ${method} within ${timeoutMillis} ms`, true)
            : invalidAnswer(`did not return a valid response to ${method}: ${reasonOf(cause)}`)
        return { fault, error }
      }
    }).pipe(
      Effect.flatMap((answer) =>
        Effect.mapError(Schema.decodeUnknownEffect(schema)(answer), (): Failure => ({
          fault: "unreadable",
          error: invalidAnswer(`returned an invalid response to ${method}`)
        }))
      )
    )
    return counted(method, response, ({ fault }) => fault)
  }
  return {
    host,
    invalidAnswer,
    behind,
    tryAsk,
    ask: (method, schema, call) => Effect.mapError(tryAsk(method, schema, call), ({ error }) => error)
  }
}

/** Creates the configured nodes, in order of preference. Sends no requests. */
export const makeNodes = ({ id, rpcUrls, timeoutMillis }: SolanaChain) => {
  const all = rpcUrls.map((url) => nodeOf(id, url, timeoutMillis))
  return { all, use: Failover.make(id, all) }
}

export type Nodes = ReturnType<typeof makeNodes>
