/** The service as an HTTP application. Every response follows the protocol. */
import * as Cause from "effect/Cause"
import { Clock } from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpServer from "effect/http/HttpServer"
import { ClientAbort } from "effect/http/HttpServerError"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as UrlParams from "effect/http/UrlParams"
import * as Layer from "effect/Layer"
import * as LogLevel from "effect/LogLevel"
import * as References from "effect/References"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import { type Refusal, refuse } from "../domain/Refusal.js"
import type { StoreUnavailable } from "../store/StoreError.js"
import { storeRefusal } from "../store/storeRefusal.js"
import { api } from "./api/Api.js"
import * as Requests from "./countRequests.js"
import { routes } from "./endpoints/allRoutes.js"
import { encoderOf } from "./endpoints/compileEndpoint.js"
import { type Caller, endpoints, type Options as EndpointsOptions } from "./endpoints/swapRoutes.js"
import * as cors from "./messages/cors.js"
import * as MatchPath from "./messages/matchPath.js"
import { nameOf, walletOf } from "./messages/parseQuery.js"
import { internal, requestIdOf, respondEmpty, respondJson, respondRefusal } from "./messages/respond.js"
import type { Options } from "./options.js"
import type { Call, Route } from "./requestHandler.js"
import { type Direct, type DirectResponse, DirectServer, directStatus } from "./status/directStatus.js"
import { type Held, held, type Holdable } from "./status/holdable.js"

export { DirectServer, endpoints, held, nameOf, respondJson, walletOf }
export type { Call, Caller, Direct, DirectResponse, EndpointsOptions, Held, Holdable, Options, Route }

/** A path with its handlers by method. */
export type Path = MatchPath.Path<Route>

const notFound = () => refuse("NOT_FOUND", "There is nothing at this path. See /docs for a list of all paths.")

const notAllowed = (allow: string) =>
  refuse("METHOD_NOT_ALLOWED", `This path does not support that method. Use ${allow}.`)

const interrupted = () =>
  refuse("UNAVAILABLE", "The service is restarting. Send the same request again.", { retryAfter: 1 })

const refusalOf = (error: Refusal | StoreUnavailable): Refusal => (error._tag === "Refusal" ? error : storeRefusal())

/** The status that is logged if the client has closed the connection. */
const clientClosed = 499

/** Counts and logs a request. Never logs headers, bodies, or values in paths and queries. */
const logged = (
  { count }: Requests.Requests,
  fiber: Fiber.Fiber<unknown, unknown>,
  call: Call,
  status: number,
  response: HttpServerResponse
): Effect.Effect<HttpServerResponse> => {
  count(fiber, call.route, call.request.method, status, call.startedAt)
  const level = status < 400 || status === clientClosed || call.quiet === true ? "Debug" : "Info"
  if (LogLevel.isGreaterThan(fiber.getRef(References.MinimumLogLevel), level)) return Effect.succeed(response)
  const nanos = fiber.getRef(Clock).monotonicTimeNanosUnsafe() - call.startedAt
  return Effect.as(
    Effect.annotateLogs(Effect.logWithLevel(level)("request"), {
      method: call.request.method,
      route: call.route,
      status,
      milliseconds: Math.round(Number(nanos) / 1e4) / 100,
      requestId: call.requestId,
      ...(call.account !== undefined && { account: call.account })
    }),
    response
  )
}

/** Responds to a request that failed. */
const failed = (
  requests: Requests.Requests,
  fiber: Fiber.Fiber<unknown, unknown>,
  call: Call,
  cause: Cause.Cause<Refusal | StoreUnavailable>
): Effect.Effect<HttpServerResponse> => {
  const { headers, requestId } = call
  const refused = (refusal: Refusal, status = refusal.status) =>
    logged(requests, fiber, call, status, respondRefusal(requestId, refusal, headers))
  if (Cause.hasInterruptsOnly(cause)) {
    // A client that has disconnected does not read the response, so the status is only logged.
    const aborted = cause.reasons.some(({ annotations }) => annotations.has(ClientAbort.key))
    return aborted ? refused(interrupted(), clientClosed) : refused(interrupted())
  }
  const fail = cause.reasons.find(Cause.isFailReason)
  if (fail !== undefined && !Cause.hasDies(cause)) return refused(refusalOf(fail.error))
  return Effect.andThen(
    Effect.annotateLogs(Effect.logError("A request failed with a defect", cause), { requestId, route: call.route }),
    refused(internal(requestId))
  )
}

/** Adds the route to the request's span, if a tracer is installed. */
const annotateSpan = (fiber: Fiber.Fiber<unknown, unknown>, route: string): void => {
  if (fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer) return
  const span = Context.getOrUndefined(fiber.context, Tracer.ParentSpan)
  if (span?._tag === "Span") span.attribute("http.route", route)
}

/**
 * The headers that replace the CORS headers on paths that only pages from the same origin may use. These headers
 * prevent other sites from even embedding the response.
 */
const sameOrigin = { "cross-origin-resource-policy": "same-origin" }

const build = (options: Options) => {
  const paths = routes(options)
  const find = MatchPath.makeMatcher(paths)
  const requests = Requests.make(paths, [
    api.groups.swap.endpoints.status.path,
    api.groups.swap.endpoints.delegationStatus.path
  ])
  const { headersFor, preflightFor } = cors.make(options.origins)

  const handle = (fiber: Fiber.Fiber<unknown, unknown>, call: Call): ReturnType<Route> => {
    const { headers, method, url } = call.request
    const match = find(url)
    if (match === undefined) return Effect.fail(notFound())
    call.route = MatchPath.nameOf(match.path)
    if (match.path.sameOrigin === true) call.headers = sameOrigin
    annotateSpan(fiber, call.route)
    const route = match.path.methods.get(method === "HEAD" ? "GET" : method)
    if (route !== undefined) return route(call, match)
    const allow = MatchPath.allowedMethods(match.path)
    call.headers = { ...call.headers, allow }
    if (method !== "OPTIONS") return Effect.fail(notAllowed(allow))
    const preflight = match.path.sameOrigin === true ? {} : preflightFor(headers["origin"], allow)
    return Effect.succeed(respondEmpty(call.requestId, { ...call.headers, ...preflight }))
  }

  const routeOf = (url: string): string => {
    const match = find(url)
    return match === undefined ? "unknown" : MatchPath.nameOf(match.path)
  }

  const complete: Call["complete"] = (call, handled) =>
    Effect.withFiber((fiber) =>
      Effect.matchCauseEffect(Effect.interruptible(handled), {
        // A request that is held is counted when it is answered.
        onSuccess: (response) =>
          response === held ? Effect.succeed(response) : logged(requests, fiber, call, response.status, response),
        onFailure: (cause) => failed(requests, fiber, call, cause)
      })
    )

  const app = Effect.withFiber<HttpServerResponse, never, HttpServerRequest | Scope.Scope>((fiber) => {
    const request = Context.getUnsafe(fiber.context, HttpServerRequest)
    const call: Call = {
      request,
      requestId: requestIdOf(request.headers),
      startedAt: fiber.getRef(Clock).monotonicTimeNanosUnsafe(),
      route: "unknown",
      account: undefined,
      headers: headersFor(request.headers["origin"]),
      complete
    }
    return complete(
      call,
      Effect.suspend(() => handle(fiber, call))
    )
  })

  const encodeStatus = encoderOf(api.groups.swap.endpoints.status)
  const directFor = (context: Context.Context<never>) =>
    directStatus(options, {
      context,
      requests,
      headersFor,
      encode: (swap) => Result.getOrUndefined(encodeStatus(swap))
    })

  return { app, directFor, requests, routeOf }
}

/** The service as an HTTP application. */
export const make = (options: Options): Effect.Effect<HttpServerResponse, never, HttpServerRequest | Scope.Scope> =>
  build(options).app

/**
 * Serves the application. The caller's `traceparent` becomes the parent of a request's span. The span is named after
 * its route and contains nothing from the query except the chain.
 */
export const layer = (options: Options): Layer.Layer<never, never, HttpServer.HttpServer> => {
  const { app, directFor, requests, routeOf } = build(options)
  const initializeCounters = Layer.effectDiscard(
    Effect.map(Effect.context(), (context) => {
      requests.initializeCounters(context)
      const direct = directFor(context)
      if (direct !== undefined) Context.get(context, DirectServer)?.use(direct)
    })
  )
  return Layer.merge(HttpServer.serve(app), initializeCounters).pipe(
    Layer.provide([
      Layer.succeed(HttpMiddleware.SpanNameGenerator, ({ method, url }) => `${method} ${routeOf(url)}`),
      Layer.succeed(UrlParams.CurrentRedactedNames, [/^(?!chainId$)/])
    ])
  )
}
