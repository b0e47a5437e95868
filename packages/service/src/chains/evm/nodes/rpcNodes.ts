/** The RPC nodes of an EVM chain, with failover. */
import { findRedirect, refuseRedirects } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import { BaseError, createPublicClient, http, HttpRequestError, type PublicClient, RpcRequestError } from "viem"
import type * as Config from "../../../config/Config.js"
import type { ChainUnavailable } from "../../ChainError.js"
import * as Failover from "../../failover.js"
import * as NodeAccess from "../../nodeLimits.js"
import * as NodeFailure from "../../nodeFailure.js"

/** Sends a request to a node. If `request` throws or rejects, the node is considered to have failed. */
export type Ask = <A>(
  method: string,
  request: (client: PublicClient) => Promise<A>
) => Effect.Effect<A, ChainUnavailable>

/** HTTP status 429. viem drops the headers of such a response if its body is a JSON-RPC error. */
class RateLimited extends Error {
  override readonly name = "RateLimited"
  readonly status: number
  readonly headers: Headers
  constructor({ headers, status }: Pick<Response, "headers" | "status">) {
    super("The node received too many requests.")
    this.status = status
    this.headers = headers
  }
}

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
  if (status === 429) throw new RateLimited({ headers, status })
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

const isTimeout = (cause: unknown): boolean =>
  cause instanceof BaseError && cause.walk((error) => error instanceof Error && error.name === "TimeoutError") !== null

/** Infura and others return this code for too many requests, but also for too many logs. */
const limitExceeded = -32_005

const reportOf = (cause: unknown): NodeFailure.Report => {
  const { code, details: message } = rpcErrorOf(cause) ?? {}
  const limited = cause instanceof BaseError ? cause.walk((error) => error instanceof RateLimited) : undefined
  if (limited instanceof RateLimited) return { ...limited, cause }
  const { headers, status } = cause instanceof HttpRequestError ? cause : {}
  return {
    isTimeout: isTimeout(cause),
    isRedirect: findRedirect(cause) !== undefined,
    status,
    headers,
    refusal:
      code === undefined || message === undefined
        ? undefined
        : {
            code,
            message,
            isRateLimit:
              NodeFailure.isRateLimit({ code, message }) ||
              (code === limitExceeded && !/log|result|block|range/i.test(message))
          },
    cause
  }
}

/** Creates a chain's nodes, in order of preference. Sends no requests. */
export const make = (config: Pick<Config.EvmChain, "id" | "rpcUrls"> & NodeAccess.Limits) => {
  const { id, rpcUrls, timeoutMillis } = config
  const all = rpcUrls.map((url) => {
    // Without the path and credentials, which may be secret.
    const host = URL.canParse(url) ? new URL(url).host : "The node"
    const client = createPublicClient({
      cacheTime: 0,
      transport: http(url, { batch: { batchSize: 100 }, fetchFn: fetchWhole, retryCount: 0, timeout: timeoutMillis })
    })
    const access = NodeAccess.make(id, host, config)
    const ask: Ask = (method, request) => {
      const response = Effect.tryPromise({
        try: () => request(client),
        catch: (cause) => NodeFailure.describe(reportOf(cause), method, timeoutMillis, Date.now())
      })
      return Effect.mapError(access.call(method, response), (failure) => NodeFailure.errorOf(id, host, failure))
    }
    return { access, ask, host }
  })
  const use = Failover.make(id, all)
  /** Sends a request to the nodes in turn until one responds. */
  const ask: Ask = (method, request) => use((node) => node.ask(method, request))
  return { all, ask }
}

export type Nodes = ReturnType<typeof make>
