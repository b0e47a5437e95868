/** All the service's routes: the API endpoints, and the paths that do not require a key. */
import * as Effect from "effect/Effect"
import { type Refusal, refuse } from "../../domain/Refusal.js"
import { api, openApi } from "../api/Api.js"
import { page, policy } from "../api/referencePage.js"
import type { Path } from "../messages/matchPath.js"
import { type HeaderFields, respond } from "../messages/respond.js"
import type { Options } from "../options.js"
import type { Route } from "../requestHandler.js"
import { endpoints, type Options as EndpointsOptions } from "./swapRoutes.js"

const json = "application/json"

const get = (path: string, route: Route): Path<Route> => ({ path, methods: new Map([["GET", route]]) })

const text =
  (type: string, body: string, headers: HeaderFields = {}): Route =>
  (call) =>
    Effect.succeed(respond(call.requestId, 200, type, body, { ...call.headers, ...headers }))

/** Creates a value when it is first needed. */
const lazily = <A>(create: () => A): (() => A) => {
  let created: { readonly value: A } | undefined
  return () => (created ??= { value: create() }).value
}

const notReady = (problems: ReadonlyArray<string>): Refusal =>
  refuse("UNAVAILABLE", ["Not ready.", ...problems].join(" "), { retryAfter: 1 })

/**
 * Authenticates a request. Failures are counted only after the key has been checked, so a valid key is accepted even if
 * many wrong keys were sent from the same address. Each wrong key requires one check, and `Accounts` limits the cost of
 * these checks. Refusing a sender of many wrong keys only keeps that sender's requests out of the log.
 */
const identifyBy =
  ({ authenticate, failedAuth }: Options): EndpointsOptions["identify"] =>
  (request, call) =>
    Effect.catchEager(authenticate(request.headers["x-api-key"]), (error) => {
      if (failedAuth === undefined || error._tag !== "Refusal" || error.code !== "UNAUTHORIZED")
        return Effect.fail(error)
      return Effect.matchEffect(failedAuth(request), {
        onSuccess: () => Effect.fail(error),
        onFailure: (tooMany) => {
          call.quiet = true
          return Effect.fail(tooMany)
        }
      })
    })

/** Creates the routes. */
export const routes = (options: Options): ReadonlyArray<Path<Route>> => {
  const { live, ready } = api.groups.health.endpoints
  const healthy = text(json, `{"status":"ok"}`)
  const isReady: Route = (call, found) =>
    Effect.flatMap(options.degraded ?? Effect.succeed([]), (problems) =>
      problems.length === 0
        ? healthy(call, found)
        : text(json, JSON.stringify({ status: "degraded", problems }))(call, found)
    )
  // Creating the document takes a good part of the start, and few servers are ever asked for it.
  const spec = lazily(() => openApi(options.version))
  const document = lazily(() => text(json, JSON.stringify(spec())))
  const reference = lazily(() => text("text/html; charset=utf-8", page(spec()), { "content-security-policy": policy }))
  return [
    ...(options.paths ?? []),
    ...endpoints({ ...options, identify: identifyBy(options) }),
    get(live.path, healthy),
    get(ready.path, (call, found) =>
      Effect.flatMap(options.ready, (problems) =>
        problems.length === 0 ? isReady(call, found) : Effect.fail(notReady(problems))
      )
    ),
    get("/openapi.json", (call, found) => document()(call, found)),
    get("/docs", (call, found) => reference()(call, found))
  ]
}
