/** The routes for the `/swap` endpoints, for callers with a key and for callers that are identified in other ways. */
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { headersOf, type RateLimits } from "../../accounts/RateLimits.js"
import type { Service } from "../../calls/Service.js"
import type { Refusal } from "../../domain/Refusal.js"
import type { StoreUnavailable } from "../../store/StoreError.js"
import { api } from "../api/Api.js"
import type { Path } from "../messages/matchPath.js"
import { respondJson } from "../messages/respond.js"
import type { Call, Route } from "../requestHandler.js"
import { respondStatus } from "../status/heldStatus.js"
import { compileEndpoint, encodedBy, type Endpoint } from "./compileEndpoint.js"
import { handlers } from "./handlers.js"

/** A caller and the account that owns its swaps. */
export interface Caller {
  readonly accountId: string
  /** The name under which calls are rate-limited (default: the account). */
  readonly client?: string
  /** A pseudonym of the page's visitor, which is stored with the visitor's swaps. */
  readonly visitor?: string
}

export interface Options {
  readonly service: Service
  /** Identifies the sender of a request, or refuses the request. */
  readonly identify: (request: HttpServerRequest, call: Call) => Effect.Effect<Caller, Refusal | StoreUnavailable>
  readonly takeLimit: RateLimits["take"]
  readonly holdStatus: RateLimits["hold"]
  /** Counts status requests that wait. */
  readonly holds: RateLimits["holds"]
  /** A prefix for every path (default: empty). */
  readonly prefix?: string
  /** Whether only pages from the same origin may use the endpoints. */
  readonly sameOrigin?: boolean
}

/**
 * Identifies the caller and applies the rate limit before the body is validated. The body is read before the rate limit
 * is applied only if the body decides which limit applies.
 */
const routeOf =
  ({ holdStatus, identify, takeLimit }: Options, { open }: Endpoint): Route =>
  (call, found) =>
    Effect.flatMap(identify(call.request, call), ({ accountId, client = accountId, visitor }) => {
      call.account = accountId
      return Effect.flatMapEager(open(call.request, found), ({ operation, run }) =>
        Effect.flatMapEager(takeLimit(client, operation), (allowance) => {
          call.headers = { ...call.headers, ...headersOf(allowance) }
          return Effect.mapEager(
            run(accountId, () => holdStatus(client), visitor),
            (body) => respondJson(call, body)
          )
        })
      )
    })

/** Identifies the caller and applies the rate limit of status requests. */
const statusRoute = ({ holds, identify, service: { statuses }, takeLimit }: Options): Route => {
  const shared = { statuses, holds, encode: encodedBy(api.groups.swap.endpoints.status) }
  return (call, { params }) =>
    Effect.flatMap(identify(call.request, call), ({ accountId, client = accountId }) => {
      call.account = accountId
      return Effect.flatMapEager(takeLimit(client, "status"), (allowance) => {
        call.headers = { ...call.headers, ...headersOf(allowance) }
        return respondStatus(shared, call, { account: accountId, client, swapId: params["swapId"] ?? "" })
      })
    })
}

/** Creates the routes for all endpoints under `/swap`. */
export const endpoints = (options: Options): ReadonlyArray<Path<Route>> => {
  const handle = handlers(options.service)
  const { prefix = "", sameOrigin = false } = options
  return Object.values(api.groups.swap.endpoints).map((endpoint) => {
    const route =
      endpoint.identifier === "status"
        ? statusRoute(options)
        : routeOf(options, compileEndpoint(endpoint, handle[endpoint.identifier]))
    return { path: `${prefix}${endpoint.path}`, sameOrigin, methods: new Map([[endpoint.method, route]]) }
  })
}
