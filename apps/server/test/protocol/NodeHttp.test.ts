import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpServer from "effect/http/HttpServer"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { once } from "node:events"
import { connect } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import * as NodeHttp from "../../src/http/NodeHttp.js"
import { apiKey, serveCanned, statusesOf } from "./http/cannedServer.js"
import { exchange, requestText } from "./http/rawHttp.js"

const status = requestText("GET", "/swap/status/1", { "x-api-key": apiKey })

/** Waits for a condition, for about a minute at most. */
const until = async (check: () => boolean): Promise<void> => {
  for (let waited = 0; !check() && waited < 60_000; waited += 10) await sleep(10)
  expect(check()).toBe(true)
}

/** A held status, with counts of held and interrupted requests. */
const makeHeld = Effect.gen(function* () {
  const release = yield* Deferred.make<void>()
  const count = { held: 0, interrupted: 0 }
  const held = Effect.suspend(() => {
    count.held++
    return Deferred.await(release)
  }).pipe(
    Effect.onInterrupt(() => Effect.sync(() => void count.interrupted++)),
    Effect.ensuring(Effect.sync(() => void count.held--)),
    Effect.as({ swapId: "1", status: "settled" as const })
  )
  return { release: Deferred.succeed(release, undefined), count, service: { statuses: statusesOf(() => held) } }
})

/** Serves an application on a free port. */
const serve = Effect.fnUntraced(function* (
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, HttpServerRequest | Scope.Scope>
) {
  const layer = HttpServer.serve(app).pipe(Layer.provideMerge(NodeHttp.layer({ host: "127.0.0.1", port: 0 })))
  const { address } = Context.get(yield* Layer.build(layer), HttpServer.HttpServer)
  return HttpServer.formatAddress(address)
})

const text = (response: Response) => Effect.promise(() => response.text())

describe("listening", () => {
  it.live("reports that another process has the port", () =>
    Effect.gen(function* () {
      const { url } = yield* serveCanned()
      const port = Number(new URL(url).port)
      const error = yield* Effect.flip(Effect.scoped(Layer.build(NodeHttp.layer({ host: "127.0.0.1", port }))))
      expect(error).toBeInstanceOf(NodeHttp.ListenFailed)
      expect(error.message).toBe(
        `Cannot listen on 127.0.0.1:${port}: another process is already using that port. Stop that process, or choose another port.`
      )
    })
  )

  it.live("reports that the machine does not have the address", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Effect.scoped(Layer.build(NodeHttp.layer({ host: "203.0.113.1", port: 0 }))))
      expect(error.message).toContain("this machine does not have that address")
    })
  )

  it.live("answers several requests in order on one connection and keeps it open", () =>
    Effect.gen(function* () {
      const { url } = yield* serveCanned()
      const socket = connect(Number(new URL(url).port), "127.0.0.1")
      let received = ""
      socket.on("data", (chunk) => (received += chunk.toString()))
      const live = requestText("GET", "/health/live", { "x-request-id": "first" })
      socket.write(Buffer.concat([live, requestText("GET", "/nowhere", { "x-request-id": "second" }), status]))
      yield* Effect.promise(() => until(() => received.includes("settled")))
      expect([...received.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, code]) => code)).toEqual(["200", "404", "200"])
      expect(received.indexOf("first")).toBeLessThan(received.indexOf("second"))
      expect(socket.closed).toBe(false)
      socket.destroy()
    })
  )

  it.live("ignores upgrade requests and expectations", () =>
    Effect.gen(function* () {
      const { url } = yield* serveCanned()
      const headers = { connection: "upgrade", upgrade: "websocket", expect: "the unexpected" }
      const answer = yield* Effect.promise(() => exchange(url, [requestText("GET", "/health/live", headers)]))
      expect(answer).toMatchObject({ status: 200, text: `{"status":"ok"}` })
    })
  )

  it.live("holds requests that arrive before a handler is served", () =>
    Effect.gen(function* () {
      const server = Context.get(
        yield* Layer.build(NodeHttp.layer({ host: "127.0.0.1", port: 0 })),
        HttpServer.HttpServer
      )
      const url = HttpServer.formatAddress(server.address)
      const early = yield* Effect.forkChild(Effect.promise(() => fetch(url)))
      yield* Effect.sleep(100)
      expect(early.pollUnsafe()).toBe(undefined)
      yield* server.serve(Effect.succeed(HttpServerResponse.text("here")))
      expect(yield* text(yield* Fiber.join(early))).toBe("here")
    })
  )
})

describe("held requests", () => {
  it.live("interrupts a request whose client disconnects, and logs it only at debug level", () =>
    Effect.gen(function* () {
      const { count, service } = yield* makeHeld
      const { logs, url } = yield* serveCanned({}, service)
      const socket = connect(Number(new URL(url).port), "127.0.0.1")
      socket.write(status)
      yield* Effect.promise(() => until(() => count.held === 1))
      socket.destroy()
      yield* Effect.promise(() => until(() => count.interrupted === 1))
      expect(count.held).toBe(0)
      yield* Effect.promise(() => until(() => logs.length > 0))
      expect(logs).toEqual([expect.stringMatching(/^Debug [^]*status: 499/)])
    })
  )

  it.live("does not answer a held request with the error of a later one on the same connection", () =>
    Effect.gen(function* () {
      const { count, release, service } = yield* makeHeld
      const { url } = yield* serveCanned({}, service)
      const isHeld = until(() => count.held === 1)
      const answer = exchange(url, [status, { until: isHeld }, "nonsense\r\n\r\n"])
      yield* Effect.promise(() => isHeld)
      // This response is sent later: the server has parsed the malformed input by then.
      yield* Effect.promise(() => exchange(url, [requestText("GET", "/health/live")]))
      yield* release
      expect(yield* Effect.promise(() => answer)).toMatchObject({ status: 200, headers: { connection: "close" } })
    })
  )

  it.live("holds a request for longer than the request timeout", () =>
    Effect.gen(function* () {
      const { release, service } = yield* makeHeld
      const { url } = yield* serveCanned({ headersMillis: 1_000, requestMillis: 1_000, keepAliveMillis: 200 }, service)
      const answer = yield* Effect.forkChild(Effect.promise(() => exchange(url, [status])))
      yield* Effect.sleep(2_000)
      yield* release
      expect(yield* Fiber.join(answer)).toMatchObject({ status: 200 })
    })
  )

  it.live("answers 500 of 1,000 held requests after the other clients disconnect", () =>
    Effect.gen(function* () {
      const { count, release, service } = yield* makeHeld
      const { url } = yield* serveCanned({}, service)
      const port = Number(new URL(url).port)
      const leaving = Array.from({ length: 500 }, () => connect(port, "127.0.0.1"))
      for (const socket of leaving) socket.write(status)
      const staying = Array.from({ length: 500 }, () => exchange(url, [status]))
      yield* Effect.promise(() => until(() => count.held === 1_000))
      for (const socket of leaving) socket.destroy()
      yield* Effect.promise(() => until(() => count.interrupted === 500))
      expect(count.held).toBe(500)
      yield* release
      const answers = yield* Effect.promise(() => Promise.all(staying))
      expect(answers.filter((answer) => answer?.status === 200)).toHaveLength(500)
      expect(count).toEqual({ held: 0, interrupted: 500 })
    })
  )
})

describe("shutdown", () => {
  it.live("answers held requests early and accepts no new ones", () =>
    Effect.gen(function* () {
      const { count, release, service } = yield* makeHeld
      const scope = yield* Scope.make()
      const { url } = yield* Scope.provide(serveCanned({ onDrain: release }, service), scope)
      const idle = connect(Number(new URL(url).port), "127.0.0.1")
      const held = Array.from({ length: 50 }, () => exchange(url, [status]))
      yield* Effect.promise(() => until(() => count.held === 50))
      const started = performance.now()
      yield* Scope.close(scope, Exit.void)
      // It did not wait for the 20 seconds that requests in progress may take.
      expect(performance.now() - started).toBeLessThan(15_000)
      for (const answer of yield* Effect.promise(() => Promise.all(held))) {
        expect(answer).toMatchObject({ status: 200, headers: { connection: "close" } })
      }
      yield* Effect.promise(() => until(() => idle.closed))
      expect(yield* Effect.promise(() => exchange(url, [status]))).toBe(undefined)
    })
  )

  it.live("answers requests that exceed the drain time with a retryable error", () =>
    Effect.gen(function* () {
      const { count, service } = yield* makeHeld
      const scope = yield* Scope.make()
      const { url } = yield* Scope.provide(serveCanned({ drainMillis: 200 }, service), scope)
      const held = exchange(url, [status])
      yield* Effect.promise(() => until(() => count.held === 1))
      yield* Scope.close(scope, Exit.void)
      const answer = yield* Effect.promise(() => held)
      expect(answer).toMatchObject({ status: 503, headers: { "retry-after": "1" } })
      expect(answer?.text).toContain("UNAVAILABLE")
      expect(count).toEqual({ held: 0, interrupted: 1 })
    })
  )
})

describe("request bodies", () => {
  it.live("refuses a body that is too large without reading the rest", () =>
    Effect.gen(function* () {
      const { url } = yield* serveCanned()
      const headers = { "x-api-key": apiKey, "content-type": "application/json" }
      for (let index = 0; index < 20; index++) {
        const body = JSON.stringify("x".repeat(100_000))
        const response = yield* Effect.promise(() => fetch(`${url}/swap/quote`, { method: "POST", headers, body }))
        expect(response.status).toBe(413)
        expect(response.headers.get("connection")).toBe("close")
        expect(yield* text(response)).toContain("BODY_TOO_LARGE")
      }
      const socket = connect(Number(new URL(url).port), "127.0.0.1")
      const closed = once(socket, "close").catch(() => {})
      socket.write(requestText("POST", "/swap/quote", { ...headers, "transfer-encoding": "chunked" }))
      const piece = `10000\r\n${"x".repeat(65_536)}\r\n`
      for (let index = 0; index < 2_000 && !socket.closed; index++) {
        if (!socket.write(piece)) {
          yield* Effect.promise(() => Promise.race([once(socket, "drain").catch(() => {}), closed]))
        }
      }
      yield* Effect.promise(() => until(() => socket.closed))
      expect(socket.bytesWritten).toBeLessThan(20_000_000)
    })
  )

  it.live("can be read in every format that Effect's server supports", () =>
    Effect.gen(function* () {
      const url = yield* serve(
        Effect.gen(function* () {
          const request = yield* HttpServerRequest
          const body =
            request.url === "/form"
              ? [...(yield* request.urlParamsBody)]
              : request.url === "/stream"
                ? yield* Stream.mkString(Stream.decodeText(request.stream))
                : [yield* request.json, yield* request.text]
          return yield* HttpServerResponse.json({ body, cookies: request.cookies })
        })
      )
      const post = (path: string, body: BodyInit) =>
        Effect.flatMap(
          Effect.promise(() => fetch(`${url}${path}`, { method: "POST", body, headers: { cookie: "a=b" } })),
          (response) => Effect.promise(() => response.json())
        )
      const cookies = { a: "b" }
      expect(yield* post("/form", new URLSearchParams({ x: "1" }))).toEqual({ body: [["x", "1"]], cookies })
      expect(yield* post("/stream", "ä".repeat(100_000))).toEqual({ body: "ä".repeat(100_000), cookies })
      expect(yield* post("/twice", "[1]")).toEqual({ body: [[1], "[1]"], cookies })
    })
  )
})

describe("responses", () => {
  it.live("answers HEAD with the length of the body and no body", () =>
    Effect.gen(function* () {
      const { url } = yield* serveCanned()
      const answer = yield* Effect.promise(() => fetch(`${url}/health/live`, { method: "HEAD" }))
      expect([answer.status, answer.headers.get("content-length"), yield* text(answer)]).toEqual([200, "15", ""])
    })
  )

  it.live("streams with backpressure and stops when the client disconnects", () =>
    Effect.gen(function* () {
      let made = 0
      let ended = false
      const piece = new Uint8Array(65_536)
      const url = yield* serve(
        Effect.sync(() =>
          HttpServerResponse.stream(
            Stream.repeat(
              Stream.sync(() => (made++, piece)),
              Schedule.forever
            ).pipe(Stream.ensuring(Effect.sync(() => void (ended = true))))
          )
        )
      )
      const socket = connect(Number(new URL(url).port), "127.0.0.1")
      socket.pause()
      socket.write(requestText("GET", "/"))
      // It stops once the buffers between it and the client are full.
      let [before, now] = [-1, 0]
      while (now === 0 || now !== before) {
        before = now
        yield* Effect.sleep(300)
        now = made
      }
      expect(ended).toBe(false)
      socket.destroy()
      yield* Effect.promise(() => until(() => ended))
    })
  )

  it.live("breaks the connection if a streamed response fails in the middle", () =>
    Effect.gen(function* () {
      const broken = Stream.concat(Stream.succeed(new Uint8Array(10)), Stream.fail("broken"))
      const url = yield* serve(Effect.succeed(HttpServerResponse.stream(broken)))
      const response = yield* Effect.promise(() => fetch(url))
      expect(Exit.isFailure(yield* Effect.exit(Effect.tryPromise(() => response.text())))).toBe(true)
    })
  )
})
