/**
 * Answers status requests for finished swaps from memory, without a fiber and without Effect's HTTP modules, which take
 * longer than the response itself. Everything else, and every refusal, takes the usual path: this module then returns
 * `undefined` and has changed nothing. It is used only if requests are neither traced nor logged one by one.
 */
import type { Swap } from "@geoswap/core"
import { Clock } from "effect/Clock"
import * as Context from "effect/Context"
import * as LogLevel from "effect/LogLevel"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"
import { headersOf } from "../../accounts/RateLimits.js"
import { api } from "../api/Api.js"
import type { Requests } from "../countRequests.js"
import type { Cors } from "../messages/cors.js"
import { type HeaderFields, jsonHeaders, requestIdFor } from "../messages/respond.js"
import type { Options } from "../options.js"

/** A request of a server. The names of its headers are in lower case. */
interface DirectRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

export interface DirectResponse {
  readonly status: number
  readonly headers: HeaderFields
  readonly body: string
}

/** Answers a request at once, or returns `undefined`. */
export type Direct = (request: DirectRequest) => DirectResponse | undefined

/** A server that can answer requests without a fiber. */
export interface DirectServer {
  /** Tries `direct` first for every request. */
  readonly use: (direct: Direct) => void
}

/** The server, if it can answer requests without a fiber (default: it cannot). */
export const DirectServer: Context.Reference<DirectServer | undefined> = Context.Reference<DirectServer | undefined>(
  "@geoswap/service/DirectServer",
  { defaultValue: () => undefined }
)

const textOf = (value: string | ReadonlyArray<string> | undefined): string | undefined =>
  typeof value === "string" ? value : undefined

const route = api.groups.swap.endpoints.status.path
const prefix = route.slice(0, route.indexOf(":"))

/** The id of a path with nothing to decode. */
const idOf = (url: string): string | undefined => {
  if (!url.startsWith(prefix)) return undefined
  const id = url.slice(prefix.length)
  return /^[0-9A-Za-z_-]+$/.test(id) ? id : undefined
}

interface Parts {
  readonly encode: (swap: Swap.Swap) => string | undefined
  readonly headersFor: Cors["headersFor"]
  readonly requests: Requests
  readonly context: Context.Context<never>
}

/** Creates the function. Returns `undefined` if every request needs a fiber. */
export const directStatus = (
  { holds, recall, service: { statuses }, takeNow }: Options,
  { context, encode, headersFor, requests }: Parts
): Direct | undefined => {
  if (recall === undefined || takeNow === undefined) return undefined
  if (Context.get(context, Tracer.Tracer) !== Tracer.nativeTracer) return undefined
  if (!LogLevel.isGreaterThan(Context.get(context, References.MinimumLogLevel), "Debug")) return undefined
  const clock = Context.get(context, Clock)
  const fiber = { context, getRef: <A>(reference: Context.Reference<A>): A => Context.get(context, reference) }
  /** The bodies of finished swaps, which never change. */
  const bodies = new WeakMap<Swap.Swap, string>()
  const bodyOf = (swap: Swap.Swap): string | undefined => {
    const known = bodies.get(swap)
    if (known !== undefined) return known
    const body = encode(swap)
    if (body !== undefined) bodies.set(swap, body)
    return body
  }
  return ({ headers, method, url }) => {
    const swapId = method === "GET" && url !== undefined ? idOf(url) : undefined
    const key = textOf(headers["x-api-key"])
    if (swapId === undefined || key === undefined) return undefined
    const account = recall(key)?.accountId
    const swap = account === undefined ? undefined : statuses.recall(account, swapId)
    const body = swap && bodyOf(swap)
    if (account === undefined || body === undefined || holds.isFull(account)) return undefined
    const startedAt = clock.monotonicTimeNanosUnsafe()
    const allowance = takeNow(account, "status", startedAt)
    if (allowance === undefined) return undefined
    const requestId = requestIdFor(textOf(headers["x-request-id"]))
    requests.count(fiber, route, "GET", 200, startedAt)
    const own = { ...headersFor(textOf(headers["origin"])), ...headersOf(allowance) }
    return { status: 200, headers: jsonHeaders(requestId, own), body }
  }
}
