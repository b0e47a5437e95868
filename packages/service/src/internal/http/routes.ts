/** Every route of the service: the endpoints of the definition, and what needs no key. */
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type * as Scope from "effect/Scope"
import { api, openApi } from "../../Api.js"
import { headersOf } from "../../RateLimits.js"
import { type Refusal, refuse } from "../../Refusal.js"
import type { StoreUnavailable } from "../../Store.js"
import { type HeaderFields, respond } from "./answer.js"
import { compile, type Endpoint } from "./endpoint.js"
import { handlers } from "./handlers.js"
import type { Options } from "./options.js"
import { page, policy } from "./referencePage.js"
import type { Found, Path } from "./router.js"

/** What is known about a request while it is answered. */
export interface Call {
  readonly request: HttpServerRequest
  readonly requestId: string
  readonly startedAt: bigint
  /** The path with names in place of what callers put there. */
  route: string
  account: string | undefined
  /** Those of every answer to it. */
  headers: HeaderFields
}

export type Route = (
  call: Call,
  found: Found<unknown>
) => Effect.Effect<HttpServerResponse, Refusal | StoreUnavailable, Scope.Scope>

const json = "application/json"

const get = (path: string, route: Route): Path<Route> => ({ path, methods: new Map([["GET", route]]) })

const text =
  (type: string, body: string, headers: HeaderFields = {}): Route =>
  (call) =>
    Effect.succeed(respond(call.requestId, 200, type, body, { ...call.headers, ...headers }))

/** First who calls, then how often, and only then what: nobody without a key has a body read. */
const swapRoute =
  ({ authenticate, takeLimit }: Options, { operation, run }: Endpoint): Route =>
  (call, found) =>
    Effect.flatMap(authenticate(call.request.headers["x-api-key"]), ({ accountId }) => {
      call.account = accountId
      return Effect.flatMapEager(takeLimit(accountId, operation), (allowance) => {
        call.headers = { ...call.headers, ...headersOf(allowance) }
        return Effect.mapEager(run(accountId, call.request, found), (body) =>
          respond(call.requestId, 200, json, body, call.headers)
        )
      })
    })

const notReady = (problems: ReadonlyArray<string>): Refusal =>
  refuse("UNAVAILABLE", ["Not ready.", ...problems].join(" "), { retryAfter: 1 })

/** The routes on what was given. */
export const routes = (options: Options): ReadonlyArray<Path<Route>> => {
  const { health, swap } = api.groups
  const handle = handlers(options.service, options.holdStatus)
  const healthy = text(json, `{"status":"ok"}`)
  const spec = openApi(options.version)
  return [
    ...Object.values(swap.endpoints).map((endpoint) => ({
      path: endpoint.path,
      methods: new Map([[endpoint.method, swapRoute(options, compile(endpoint, handle[endpoint.identifier]))]])
    })),
    get(health.endpoints.live.path, healthy),
    get(health.endpoints.ready.path, (call, found) =>
      Effect.flatMap(options.ready, (problems) =>
        problems.length === 0 ? healthy(call, found) : Effect.fail(notReady(problems))
      )
    ),
    get("/openapi.json", text(json, JSON.stringify(spec))),
    get("/docs", text("text/html; charset=utf-8", page(spec), { "content-security-policy": policy }))
  ]
}
