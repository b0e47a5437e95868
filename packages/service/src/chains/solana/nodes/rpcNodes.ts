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
import { ChainUnavailable } from "../../ChainError.js"
import * as Failover from "../../failover.js"
import * as NodeAccess from "../../nodeLimits.js"
import * as NodeFailure from "../../nodeFailure.js"
import { toBase64 } from "../transactions/wireTransaction.js"
import { printable } from "./describeError.js"

interface Pending {
  readonly send: (options: { readonly abortSignal: AbortSignal }) => Promise<unknown>
}

/** A failed request, and how it failed. */
export interface Failure {
  readonly fault: NodeFailure.Failure["fault"]
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
  readonly access: NodeAccess.Access
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

const reportOf = (cause: unknown): NodeFailure.Report => {
  if (isSolanaError(cause, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) {
    const { headers, statusCode: status } = cause.context
    return isRedirect(status) ? { isRedirect: true, cause } : { status, headers, cause }
  }
  if (isSolanaError(cause)) {
    const { context } = cause
    const refusal = { code: context.__code, message: "__serverMessage" in context ? context.__serverMessage : "" }
    return { refusal: { ...refusal, isRateLimit: NodeFailure.isRateLimit(refusal) }, cause }
  }
  return { isTimeout: cause instanceof DOMException && cause.name === "TimeoutError", cause }
}

const nodeOf = (chainId: number, address: string, limits: NodeAccess.Limits): Node => {
  const { timeoutMillis } = limits
  const url = URL.canParse(address) ? new URL(address) : new URL("http://unreadable.invalid")
  const { host } = url
  const secrets = secretsOf(url)
  const headers = headersOf(url)
  url.username = ""
  url.password = ""
  const rpc = createSolanaRpcFromTransport(createDefaultRpcTransport({ url: urlWithoutRedirects(url.href), headers }))

  const redact = (text: string) => secrets.reduce((safe, secret) => safe.replaceAll(secret, "…"), text)
  const invalidAnswer = (reason: string) =>
    new ChainUnavailable({ chainId, message: `${host} ${printable(redact(reason))}.`, timeout: false })
  const behind = (slot: bigint, since: bigint) =>
    new ChainUnavailable({
      chainId,
      message: `${host} is at slot ${slot}, but slot ${since} is required.`,
      timeout: false,
      behind: true
    })
  const access = NodeAccess.make(chainId, host, limits)
  const tryAsk: Node["tryAsk"] = (method, schema, call) => {
    const response = Effect.tryPromise({
      try: (interrupted) => {
        // The timeout uses real time, not Effect's clock.
        const abortSignal = AbortSignal.any([interrupted, AbortSignal.timeout(timeoutMillis)])
        return call(rpc).send({ abortSignal })
      },
      catch: (cause) => {
        const failure = NodeFailure.describe(reportOf(cause), method, timeoutMillis, Date.now())
        return { ...failure, message: printable(redact(failure.message)) }
      }
    }).pipe(
      Effect.flatMap((answer) =>
        Effect.mapError(Schema.decodeUnknownEffect(schema)(answer), (): NodeFailure.Failure => ({
          fault: "unreadable",
          message: `returned an invalid response to ${method}`
        }))
      )
    )
    return Effect.mapError(access.call(method, response), (failure): Failure => ({
      fault: failure.fault,
      error: NodeFailure.errorOf(chainId, host, failure)
    }))
  }
  return {
    host,
    access,
    invalidAnswer,
    behind,
    tryAsk,
    ask: (method, schema, call) => Effect.mapError(tryAsk(method, schema, call), ({ error }) => error)
  }
}

/** Creates the configured nodes, in order of preference. Sends no requests. */
export const makeNodes = (config: SolanaChain) => {
  const { id, rpcUrls, sendUrls } = config
  const all = rpcUrls.map((url) => nodeOf(id, url, config))
  return {
    all,
    use: Failover.make(id, all),
    /** The nodes that receive transactions. */
    senders: sendUrls === undefined ? all : sendUrls.map((url) => nodeOf(id, url, config))
  }
}

export type Nodes = ReturnType<typeof makeNodes>
