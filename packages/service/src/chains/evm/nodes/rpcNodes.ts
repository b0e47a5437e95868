/** The RPC nodes of an EVM chain, with failover. */
import { findRedirect, refuseRedirects } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import { BaseError, createPublicClient, http, HttpRequestError, type PublicClient, RpcRequestError } from "viem"
import type * as Config from "../../../config/Config.js"
import * as CountRpc from "../../../metrics/countRpc.js"
import type { RpcFault } from "../../../metrics/series.js"
import { ChainUnavailable } from "../../ChainError.js"
import * as Failover from "../../failover.js"

/** Sends a request to a node. If `request` throws or rejects, the node is considered to have failed. */
export type Ask = <A>(
  method: string,
  request: (client: PublicClient) => Promise<A>
) => Effect.Effect<A, ChainUnavailable>

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const idsOf = (json: string): ReadonlyArray<unknown> => {
  const entries = JSON.parse(json) as unknown
  if (!Array.isArray(entries)) throw new SyntaxError("The response is not a batch.")
  return entries.map((entry: unknown) => (isObject(entry) ? entry["id"] : undefined))
}

/** Looks up the global `fetch` for each request, since tracers and test tools replace it. */
const send = refuseRedirects((input: string | URL | Request, init) => fetch(input, init))

/**
 * Reads the whole response within viem's timeout, which would otherwise cover only the start of the response. Rejects a
 * batch with a missing response, because viem matches responses by position and would then return responses that belong
 * to other requests.
 */
const fetchWhole = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
  const { headers, ok, status, ...response } = await send(input, init).then(async (given) => ({
    headers: given.headers,
    ok: given.ok,
    status: given.status,
    body: await given.text()
  }))
  if (ok && typeof init?.body === "string") {
    const answered = new Set(idsOf(response.body))
    if (idsOf(init.body).some((id) => !answered.has(id))) throw new SyntaxError("A response is missing from the batch.")
  }
  return new Response(response.body, { headers, status })
}

/** Returns the JSON-RPC error that caused a failure, if the node returned one. */
export const rpcErrorOf = (cause: unknown): RpcRequestError | undefined => {
  const found = cause instanceof BaseError ? cause.walk((error) => error instanceof RpcRequestError) : undefined
  return found instanceof RpcRequestError ? found : undefined
}

/** Redacts keys, calldata, and URLs with credentials in a node's message. */
const redact = (message: string): string =>
  message
    .replaceAll(/\w+:\/\/\S+/g, "…")
    .replaceAll(/[\w-]{24,}/g, "…")
    .slice(0, 120)

const isTimeout = (cause: unknown): boolean =>
  cause instanceof BaseError && cause.walk((error) => error instanceof Error && error.name === "TimeoutError") !== null

interface Failure {
  readonly message: string
  readonly fault: RpcFault
}

const failureOf = (cause: unknown, method: string, timeoutMillis: number): Failure => {
  if (isTimeout(cause)) return { message: `did not respond to ${method} within ${timeoutMillis} ms`, fault: "timeout" }
  if (findRedirect(cause) !== undefined) {
    return { message: `responded to ${method} with a redirect, which is not followed`, fault: "status" }
  }
  const refusal = rpcErrorOf(cause)
  if (refusal !== undefined) {
    return { message: `rejected ${method}: ${redact(refusal.details)} (${refusal.code})`, fault: "refused" }
  }
  const status = cause instanceof HttpRequestError ? cause.status : undefined
  return status === undefined
    ? { message: `returned an invalid response to ${method}`, fault: "unreadable" }
    : { message: `responded to ${method} with HTTP ${status}`, fault: "status" }
}

/** Creates a chain's nodes, in order of preference. Sends no requests. */
export const make = ({ id, rpcUrls, timeoutMillis }: Pick<Config.EvmChain, "id" | "rpcUrls" | "timeoutMillis">) => {
  const all = rpcUrls.map((url) => {
    // Without the path and credentials, which may be secret.
    const host = URL.canParse(url) ? new URL(url).host : "The node"
    const client = createPublicClient({
      cacheTime: 0,
      transport: http(url, { batch: { batchSize: 100 }, fetchFn: fetchWhole, retryCount: 0, timeout: timeoutMillis })
    })
    const counted = CountRpc.make(id, host)
    const ask: Ask = (method, request) => {
      const response = Effect.tryPromise({
        try: () => request(client),
        catch: (cause) => failureOf(cause, method, timeoutMillis)
      })
      return Effect.mapError(
        counted(method, response, ({ fault }) => fault),
        ({ fault, message }) =>
          new ChainUnavailable({ chainId: id, message: `${host} ${message}.`, timeout: fault === "timeout" })
      )
    }
    return { ask, host }
  })
  const use = Failover.make(id, all)
  /** Sends a request to the nodes in turn until one responds. */
  const ask: Ask = (method, request) => use((node) => node.ask(method, request))
  return { all, ask }
}

export type Nodes = ReturnType<typeof make>
