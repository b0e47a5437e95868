import { describe, expect, it } from "@effect/vitest"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServer from "effect/http/HttpServer"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as NetAddress from "effect/net/NetAddress"
import type * as Scope from "effect/Scope"
import * as HttpApp from "../../src/http/HttpApp.js"
import { apiKey, request, webApp } from "./webApp.js"

describe("the paths without a key", () => {
  it.effect("report liveness, readiness and problems", () =>
    Effect.gen(function* () {
      const { get } = webApp()
      expect(yield* get("/health/live", { "x-api-key": "" })).toMatchObject({ status: 200, body: { status: "ok" } })
      expect(yield* get("/health/ready", { "x-api-key": "" })).toMatchObject({ status: 200, body: { status: "ok" } })
      const down = webApp({ ready: Effect.succeed(["Chain 8453 does not answer.", "The storage is gone."]) })
      expect(yield* down.get("/health/live")).toMatchObject({ status: 200 })
      expect(yield* down.get("/health/ready")).toMatchObject({
        status: 503,
        body: { code: "UNAVAILABLE", message: "Not ready. Chain 8453 does not answer. The storage is gone." }
      })
      const problems = ["Chain 8453 (Base) is below its quorum: 1 of 2 nodes agree, but 2 must."]
      const partly = webApp({ degraded: Effect.succeed(problems) })
      expect(yield* partly.get("/health/ready")).toMatchObject({ status: 200, body: { status: "degraded", problems } })
      expect(yield* partly.get("/health/live")).toMatchObject({ status: 200, body: { status: "ok" } })
    })
  )

  it.effect("report unknown paths and methods", () =>
    Effect.gen(function* () {
      const { answerOf, get, post, send } = webApp()
      expect(yield* get("/swap")).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } })
      for (const path of ["/swap/quote/", "//swap/quote", "/Swap/quote", "/swap/../swap/quote/x", "/swap/status/a/b"]) {
        expect(yield* post(path, request)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } })
      }
      const wrong = yield* get("/swap/quote")
      expect(wrong).toMatchObject({ status: 405, body: { code: "METHOD_NOT_ALLOWED" } })
      expect(wrong.headers.get("allow")).toBe("POST, OPTIONS")
      const deleted = yield* Effect.flatMap(send("DELETE", "/swap/status/1"), answerOf)
      expect([deleted.status, deleted.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"])
      const asked = yield* send("OPTIONS", "/swap/quote", { headers: { "x-api-key": "" } })
      expect([asked.status, asked.headers.get("allow")]).toEqual([204, "POST, OPTIONS"])
      const head = yield* send("HEAD", "/swap/chains")
      expect([head.status, yield* Effect.promise(() => head.text())]).toEqual([200, ""])
    })
  )
})

describe("every response", () => {
  it.effect("has a request id, is not cached and is not sniffed", () =>
    Effect.gen(function* () {
      const { get, post } = webApp()
      const answers = [
        yield* post("/swap/quote", request),
        yield* post("/swap/quote", "{"),
        yield* get("/nowhere"),
        yield* get("/swap/quote"),
        yield* get("/health/live")
      ]
      for (const { headers } of answers) {
        expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/)
        expect(headers.get("cache-control")).toBe("no-store")
        expect(headers.get("content-type")).toBe("application/json")
        expect(headers.get("x-content-type-options")).toBe("nosniff")
      }
      expect(new Set(answers.map(({ headers }) => headers.get("x-request-id"))).size).toBe(answers.length)
    })
  )

  it.effect("keeps a valid request id of the caller", () =>
    Effect.gen(function* () {
      const { get } = webApp()
      const idOf = (given: string) =>
        Effect.map(get("/health/live", { "x-request-id": given }), ({ headers }) => headers.get("x-request-id"))
      expect(yield* idOf("My.id_-9")).toBe("My.id_-9")
      for (const id of ["", "a b", "a,b", "ä", "x".repeat(65), "<b>"])
        expect(yield* idOf(id)).toMatch(/^[0-9a-f-]{36}$/)
    })
  )
})

describe("pages of other origins", () => {
  const page = { origin: "https://app.test" }

  it.effect("get no CORS headers if none is configured", () =>
    Effect.gen(function* () {
      const { send } = webApp()
      for (const method of ["GET", "OPTIONS"]) {
        const { headers } = yield* send(method, "/swap/chains", { headers: page })
        expect([...headers.keys()].filter((name) => name === "vary" || name.startsWith("access-"))).toEqual([])
      }
    })
  )

  it.effect("may send a preflight request without a key", () =>
    Effect.gen(function* () {
      const { send } = webApp({ origins: ["https://app.test"] })
      const ask = { ...page, "x-api-key": "", "access-control-request-method": "POST" }
      const { headers, status } = yield* send("OPTIONS", "/swap/quote", { headers: ask })
      expect(status).toBe(204)
      expect(headers.get("access-control-allow-origin")).toBe("https://app.test")
      expect(headers.get("access-control-allow-methods")).toBe("POST, OPTIONS")
      expect(headers.get("access-control-allow-headers")).toBe("content-type, x-api-key, x-request-id, traceparent")
      expect(headers.get("access-control-max-age")).toBe("600")
      expect(headers.get("vary")).toBe("Origin")
    })
  )

  it.effect("read every response, including refusals, only with the exact origin", () =>
    Effect.gen(function* () {
      const { get } = webApp({ origins: ["https://app.test", "https://two.test"] })
      const good = yield* get("/swap/chains", page)
      expect(good.headers.get("access-control-allow-origin")).toBe("https://app.test")
      expect(good.headers.get("access-control-expose-headers")).toBe(
        "x-request-id, retry-after, ratelimit, ratelimit-policy"
      )
      const refused = yield* get("/swap/chains", { ...page, "x-api-key": "wrong" })
      expect(refused.headers.get("access-control-allow-origin")).toBe("https://app.test")
      for (const origin of ["https://app.test.evil", "http://app.test", "https://app.test:8443", "null"]) {
        const { headers } = yield* get("/swap/chains", { origin })
        expect(headers.get("access-control-allow-origin")).toBe(null)
        expect(headers.get("vary")).toBe("Origin")
      }
    })
  )
})

describe("logs and traces", () => {
  it.effect("contain one line for each request, without anything that the caller sent", () =>
    Effect.gen(function* () {
      const { get, lines, post } = webApp()
      yield* post("/swap/build-geo-op", { geoQuoteToken: "canaryOfTheToken" }, { "x-request-id": "r1" })
      yield* get(`/swap/delegation?chainId=1&walletAddress=canaryOfTheWallet`, { "x-api-key": "canaryOfTheKey" })
      yield* get("/canaryOfThePath")
      expect(
        lines.map(({ account, level, method, requestId, route, status }) => ({
          account,
          level,
          method,
          requestId,
          route,
          status
        }))
      ).toEqual([
        { account: "acc_1", level: "Debug", method: "POST", requestId: "r1", route: "/swap/build-geo-op", status: 200 },
        {
          account: undefined,
          level: "Info",
          method: "GET",
          requestId: expect.any(String) as string,
          route: "/swap/delegation",
          status: 401
        },
        {
          account: undefined,
          level: "Info",
          method: "GET",
          requestId: expect.any(String) as string,
          route: "unknown",
          status: 404
        }
      ])
      expect(lines.every(({ milliseconds }) => typeof milliseconds === "number")).toBe(true)
      expect(JSON.stringify(lines)).not.toMatch(/canary/)
    })
  )

  it.effect("continue the caller's trace, and name the route", () =>
    Effect.gen(function* () {
      const { get, spans } = webApp()
      const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
      yield* get("/swap/status/9f1c6c1e", { traceparent: `00-${traceId}-00f067aa0ba902b7-01` })
      const span = spans.find(({ kind }) => kind === "server")
      expect(span).toMatchObject({ traceId, parent: { value: { spanId: "00f067aa0ba902b7" } } })
      expect(span?.attributes.get("http.route")).toBe("/swap/status/:swapId")
      expect(span?.attributes.get("http.response.status_code")).toBe(200)
      expect(JSON.stringify([...(span?.attributes ?? [])])).not.toContain(apiKey)
    })
  )

  it.effect("name a request's span after its route, without wallets", () =>
    Effect.gen(function* () {
      const { context, options, spans } = webApp()
      let handler: (request: Request) => Promise<Response> = () => Promise.reject(new Error("Nothing is served."))
      const server = HttpServer.make({
        address: NetAddress.inetAddressFromIpStringUnsafe("127.0.0.1", 1),
        serve: (app) =>
          Effect.contextWith((context: Context.Context<never>) => {
            handler = HttpEffect.toWebHandlerWith<never, HttpServerRequest | Scope.Scope>(context)(app)
            return Effect.void
          })
      })
      const layer = HttpApp.layer(options).pipe(
        Layer.provide([Layer.succeed(HttpServer.HttpServer, server), Layer.succeedContext(context)])
      )
      yield* Layer.build(layer)
      const url = "http://service.test/swap/delegation?chainId=8453&walletAddress=canaryOfTheWallet"
      yield* Effect.promise(() => handler(new Request(url, { headers: { "x-api-key": apiKey } })))
      const span = spans.find(({ kind }) => kind === "server")
      expect(span?.name).toBe("GET /swap/delegation")
      expect(span?.attributes.get("url.query")).toContain("chainId=8453&walletAddress=")
      expect(JSON.stringify([...(span?.attributes ?? [])])).not.toMatch(/canary/)
    })
  )
})
