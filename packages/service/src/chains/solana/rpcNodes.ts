/** The nodes of a chain: calls with a limit of time, answers that are looked at, and the next node where one fails. */
import {
  createDefaultRpcTransport,
  createSolanaRpcFromTransport,
  isSolanaError,
  type Rpc,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  type SolanaRpcApi
} from "@solana/kit"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { ChainUnavailable } from "../Chains.js"
import type { SolanaChain } from "../../config/Config.js"
import * as CountRpc from "../../metrics/countRpc.js"
import type { RpcFault } from "../../metrics/series.js"
import { toBase64 } from "./wireTransaction.js"
import { printable } from "./describeError.js"

interface Pending {
  readonly send: (options: { readonly abortSignal: AbortSignal }) => Promise<unknown>
}

/** One node. */
export interface Node {
  /** Where it is, without path and credentials: a path is often a key. */
  readonly host: string
  /** One call, whose answer has to have a form. */
  readonly ask: <A>(
    method: string,
    schema: Schema.ConstraintDecoder<A>,
    call: (rpc: Rpc<SolanaRpcApi>) => Pending
  ) => Effect.Effect<A, ChainUnavailable>
  /** It answered, and not sensibly. */
  readonly invalidAnswer: (reason: string) => ChainUnavailable
  /** It answered as of a slot, and a newer one is needed. */
  readonly behind: (slot: bigint, since: bigint) => ChainUnavailable
}

/** The nodes, in order of preference. */
export interface Nodes {
  readonly all: ReadonlyArray<Node>
  /** Does something with the first node that can: what begins with one node ends with it. */
  readonly use: <A, E>(
    task: (node: Node) => Effect.Effect<A, E | ChainUnavailable>
  ) => Effect.Effect<A, E | ChainUnavailable>
}

/** For so long a node that failed is asked last. */
const deprioritizeMillis = 5_000

/** What the address of a node may hide: credentials, keys in its path and in its query. Less is no secret. */
const secretsOf = ({ password, pathname, searchParams, username }: URL): ReadonlyArray<string> =>
  [username, password, ...pathname.split("/"), ...searchParams.values()].filter(({ length }) => length >= 4)

/** fetch takes no credentials in an address. */
const headersOf = ({ password, username }: URL): { readonly authorization?: string } => {
  if (username === "") return {}
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${toBase64(new TextEncoder().encode(credentials))}` }
}

const reasonOf = (cause: unknown): string => {
  if (isSolanaError(cause, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) return `HTTP ${cause.context.statusCode}`
  if (isSolanaError(cause)) {
    const { context } = cause
    return "__serverMessage" in context ? `${context.__code}, ${context.__serverMessage}` : `${context.__code}`
  }
  const inner = cause instanceof Error ? cause.cause : undefined
  if (inner instanceof Error && "code" in inner) return `no connection, ${String(inner.code)}`
  return cause instanceof SyntaxError ? "no JSON" : "no answer"
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
  const rpc = createSolanaRpcFromTransport(createDefaultRpcTransport({ url: url.href, headers }))

  const unavailable = (reason: string, timeout: boolean) => {
    const safe = secrets.reduce((text, secret) => text.replaceAll(secret, "…"), reason)
    return new ChainUnavailable({ chainId, message: `${host} ${printable(safe)}.`, timeout })
  }
  const invalidAnswer = (reason: string) => unavailable(reason, false)
  const behind = (slot: bigint, since: bigint) =>
    new ChainUnavailable({
      chainId,
      message: `${host} is at slot ${slot}, and slot ${since} is needed.`,
      timeout: false,
      behind: true
    })
  const counted = CountRpc.make(chainId, host)
  const failed = (fault: RpcFault, error: ChainUnavailable) => ({ fault, error })
  return {
    host,
    invalidAnswer,
    behind,
    ask: (method, schema, call) => {
      const response = Effect.tryPromise({
        try: (interrupted) => {
          // The machine's own time, as that is what a node takes.
          const abortSignal = AbortSignal.any([interrupted, AbortSignal.timeout(timeoutMillis)])
          return call(rpc).send({ abortSignal })
        },
        catch: (cause) => {
          const fault = faultOf(cause)
          return fault === "timeout"
            ? failed(fault, unavailable(`did not answer ${method} within ${timeoutMillis} ms`, true))
            : failed(fault, invalidAnswer(`did not answer ${method}: ${reasonOf(cause)}`))
        }
      }).pipe(
        Effect.flatMap((answer) =>
          Effect.mapError(Schema.decodeUnknownEffect(schema)(answer), () =>
            failed("unreadable", invalidAnswer(`answered ${method} with something else than a node does`))
          )
        )
      )
      return Effect.mapError(
        counted(method, response, ({ fault }) => fault),
        ({ error }) => error
      )
    }
  }
}

/** The nodes of a configuration. Nothing is asked yet. */
export const makeNodes = ({ id, rpcUrls, timeoutMillis }: SolanaChain): Nodes => {
  const all = rpcUrls.map((url) => nodeOf(id, url, timeoutMillis))
  const deprioritizedUntil = new Map<Node, number>()
  return {
    all,
    use: Effect.fnUntraced(function* (task) {
      const now = yield* Clock.currentTimeMillis
      const isDeprioritized = (node: Node) => (deprioritizedUntil.get(node) ?? 0) > now
      const failures: Array<ChainUnavailable> = []
      for (const node of [...all.filter((each) => !isDeprioritized(each)), ...all.filter(isDeprioritized)]) {
        const result = yield* Effect.result(task(node))
        if (Result.isSuccess(result)) {
          deprioritizedUntil.delete(node)
          return result.success
        }
        if (!(result.failure instanceof ChainUnavailable)) return yield* Effect.fail(result.failure)
        deprioritizedUntil.set(node, now + deprioritizeMillis)
        failures.push(result.failure)
      }
      return yield* new ChainUnavailable({
        chainId: id,
        message: failures.map(({ message }) => message).join(" "),
        timeout: failures.every(({ timeout }) => timeout),
        ...(failures.some(({ behind }) => behind) && { behind: true })
      })
    })
  }
}
