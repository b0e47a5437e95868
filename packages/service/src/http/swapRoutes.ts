/** The endpoints of the definition as routes: for those who send a key, and for others who are known by other means. */
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { api } from "./Api.js"
import { headersOf, type Shape as RateLimits } from "../accounts/RateLimits.js"
import type { Refusal } from "../Refusal.js"
import type { Shape as Service } from "../calls/Service.js"
import type { StoreUnavailable } from "../store/Store.js"
import { respondJson } from "./respond.js"
import { compileEndpoint, type Endpoint } from "./compileEndpoint.js"
import { handlers } from "./handlers.js"
import type { Call, Route } from "./requestHandler.js"
import type { Path } from "./matchPath.js"

/** Whose swaps a caller makes and sees. */
export interface Caller {
  readonly accountId: string
  /** Who is counted, where that is not the account. */
  readonly client?: string
}

export interface Options {
  readonly service: Service
  /** Who sent a request, or why it is not answered. */
  readonly identify: (request: HttpServerRequest, call: Call) => Effect.Effect<Caller, Refusal | StoreUnavailable>
  readonly takeLimit: RateLimits["take"]
  readonly holdStatus: RateLimits["hold"]
  /** In front of every path; empty where absent. */
  readonly prefix?: string
  /** Only for a page of this very origin. */
  readonly sameOrigin?: boolean
}

/** First who calls, then how often, and only then what: nobody who is not known has a body read. */
const routeOf =
  ({ holdStatus, identify, takeLimit }: Options, { operation, run }: Endpoint): Route =>
  (call, found) =>
    Effect.flatMap(identify(call.request, call), ({ accountId, client = accountId }) => {
      call.account = accountId
      return Effect.flatMapEager(takeLimit(client, operation), (allowance) => {
        call.headers = { ...call.headers, ...headersOf(allowance) }
        return Effect.mapEager(
          run(accountId, call.request, found, () => holdStatus(client)),
          (body) => respondJson(call, body)
        )
      })
    })

/** Every endpoint under `/swap`. */
export const endpoints = (options: Options): ReadonlyArray<Path<Route>> => {
  const handle = handlers(options.service)
  const { prefix = "", sameOrigin = false } = options
  return Object.values(api.groups.swap.endpoints).map((endpoint) => ({
    path: `${prefix}${endpoint.path}`,
    sameOrigin,
    methods: new Map([[endpoint.method, routeOf(options, compileEndpoint(endpoint, handle[endpoint.identifier]))]])
  }))
}
