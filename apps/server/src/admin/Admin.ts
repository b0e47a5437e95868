/** The admin listener: Prometheus metrics and health checks. */
import { Metrics } from "@geoswap/service"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpServer from "effect/http/HttpServer"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import type { SocketAddress } from "effect/net/NetAddress"
import * as NodeHttp from "../http/NodeHttp.js"
import { processMetrics } from "./processMetrics.js"

export interface Options {
  readonly host: string
  /** The port to listen on; 0 means any free port. */
  readonly port: number
  /** The problems that keep the service from serving requests, or an empty list if the service is ready. */
  readonly ready: Effect.Effect<ReadonlyArray<string>>
  /** Problems that do not keep the service from serving requests. */
  readonly degraded: Effect.Effect<ReadonlyArray<string>>
  /** The program version. */
  readonly version: string
}

export interface Admin {
  /** The address that the listener is bound to, or `undefined` if the configuration has no admin listener. */
  readonly address: SocketAddress | undefined
}

export const Admin = /* @__PURE__ */ Context.Service<Admin>("@geoswap/server/Admin")

const plainText = (status: number, body: string) =>
  HttpServerResponse.text(`${body}\n`, { status, headers: { "cache-control": "no-store" } })

const app = ({ degraded, ready }: Options) =>
  Effect.flatMap(HttpServerRequest, ({ method, url }) => {
    switch (`${method} ${url.replace(/\?.*/, "")}`) {
      case "GET /metrics":
        return Effect.map(Metrics.text, (body) =>
          HttpServerResponse.text(body, {
            contentType: Metrics.contentType,
            headers: { "cache-control": "no-store" }
          })
        )
      case "GET /health/live":
        return Effect.succeed(plainText(200, "ok"))
      case "GET /health/ready":
        return Effect.zipWith(ready, degraded, (problems, partial) => {
          if (problems.length > 0) return plainText(503, problems.join(" "))
          return plainText(200, partial.length === 0 ? "ok" : ["degraded", ...partial].join("\n"))
        })
      default:
        return Effect.succeed(plainText(404, "Use GET /metrics, /health/live or /health/ready."))
    }
  })

/** A layer without a listener. */
export const none = Layer.succeed(Admin, { address: undefined })

/** A listener that runs until the layer is released. */
export const layer = (options: Options) =>
  Layer.effect(
    Admin,
    Effect.gen(function* () {
      yield* processMetrics(options.version)
      const { address } = yield* HttpServer.HttpServer
      yield* Effect.logInfo(`metrics are at ${HttpServer.formatAddress(address)}/metrics`)
      return { address }
    })
  ).pipe(
    Layer.merge(HttpServer.serve(app(options))),
    Layer.provide(
      Layer.fresh(NodeHttp.layer({ host: options.host, port: options.port, drainMillis: 1_000 })).pipe(
        Layer.catch(({ host, message, port }) =>
          Layer.effect(
            HttpServer.HttpServer,
            new NodeHttp.ListenFailed({
              host,
              port,
              message: `The admin listener could not be started. ${message}`
            })
          )
        )
      )
    ),
    // Requests to this listener are not traced.
    Layer.provide(Layer.succeed(HttpMiddleware.TracerDisabledWhen)(() => true))
  )
