import { getEventListeners } from "node:events"
import { setImmediate } from "node:timers/promises"
import { gzipSync } from "node:zlib"
import { SwapError, Transport } from "@geoswap/core"
import { ScriptedTransport } from "@geoswap/core/testing"
import { describe, expect, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { fetchTransport, type FetchTransportOptions } from "../src/index.js"
import { rejection } from "../../../tooling/testing/expectError.ts"
import { deadlinesByHand } from "./deadlines.js"
import { json, serve, serveBytes } from "./server.js"

const apiKey = "key-1"
const quote: Transport.HttpRequest = { endpoint: "quote", method: "POST", path: "/swap/quote", body: `{"amount":"1"}` }
const status: Transport.HttpRequest = { endpoint: "status", method: "GET", path: "/swap/status/s-1" }
const alive = () => ({ signal: new AbortController().signal })

const transport = (baseUrl: string, options: Partial<FetchTransportOptions> = {}) =>
  fetchTransport({ baseUrl, apiKey, ...options })

/** The error of a client whose quote over this transport fails. */
const failure = (baseUrl: string, options: Partial<FetchTransportOptions> = {}): Promise<SwapError.QuoteError> =>
  Effect.runPromise(Effect.flip(Transport.fromPromise(transport(baseUrl, options)).quote(ScriptedTransport.evmRequest)))

const deferred = <A>() => {
  let resolve: (value: A) => void = () => undefined
  const promise = new Promise<A>((settle) => (resolve = settle))
  return { promise, resolve }
}

/** Headers that Node's fetch adds. */
const platform = [
  "host",
  "connection",
  "accept-language",
  "sec-fetch-mode",
  "user-agent",
  "accept-encoding",
  "content-length"
]
const sentHeaders = (headers: NodeJS.Dict<string | string[]>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !platform.includes(name)))

describe("a request", () => {
  it("has the key, the body and only the required headers", async () => {
    await using server = await serve((response) => json(response, {}))
    await transport(server.url).send(quote, alive())
    expect(server.received).toHaveLength(1)
    expect(server.received[0]).toMatchObject({ method: "POST", url: "/swap/quote", body: `{"amount":"1"}` })
    expect(sentHeaders(server.received[0]?.headers ?? {})).toEqual({
      "x-api-key": "key-1",
      accept: "application/json",
      "content-type": "application/json",
      // The headers of `cache: "no-store"`.
      pragma: "no-cache",
      "cache-control": "no-cache"
    })
  })

  it("without a body has no content type", async () => {
    await using server = await serve((response) => json(response, {}))
    await transport(server.url).send(status, alive())
    expect(server.received[0]).toMatchObject({ method: "GET", url: "/swap/status/s-1", body: "" })
    expect(server.received[0]?.headers["content-type"]).toBeUndefined()
    expect(server.received[0]?.headers["content-length"]).toBeUndefined()
  })

  it.each([
    ["", "/swap/quote"],
    ["/", "/swap/quote"],
    ["/geo/v1", "/geo/v1/swap/quote"],
    ["/geo/v1/", "/geo/v1/swap/quote"],
    ["/geo//", "/geo/swap/quote"]
  ])("to a base URL that ends in %j goes to %s", async (prefix, url) => {
    await using server = await serve((response) => json(response, {}))
    await transport(server.url + prefix).send(quote, alive())
    await fetchTransport({ baseUrl: new URL(server.url + prefix), apiKey }).send(quote, alive())
    expect(server.received.map((request) => request.url)).toEqual([url, url])
  })

  it("has the caller's headers, and those of the protocol take precedence", async () => {
    await using server = await serve((response) => json(response, {}))
    const headers = {
      "X-Tenant": "t-1",
      Traceparent: "mine",
      "X-API-Key": "mine",
      Accept: "*/*",
      "Content-Type": "mine"
    }
    const { send } = transport(server.url, { headers })
    await send({ ...quote, headers: { traceparent: "00-a-b-01", "x-api-key": "other" } }, alive())
    expect(server.received[0]?.headers).toMatchObject({
      "x-tenant": "t-1",
      traceparent: "00-a-b-01",
      "x-api-key": "key-1",
      accept: "application/json",
      "content-type": "application/json"
    })
  })

  it("sends no x-api-key header without a key", async () => {
    await using server = await serve((response) => json(response, {}))
    await fetchTransport({ baseUrl: server.url }).send(quote, alive())
    expect(Object.keys(server.received[0]?.headers ?? {})).not.toContain("x-api-key")
  })

  it("calls apiKey each time, so keys can rotate", async () => {
    await using server = await serve((response) => json(response, {}))
    let count = 0
    const { send } = transport(server.url, { apiKey: async () => `key-${++count}` })
    await send(quote, alive())
    await send(quote, alive())
    expect(server.received.map(({ headers }) => headers["x-api-key"])).toEqual(["key-1", "key-2"])
  })

  it.each<[string, () => string | Promise<string>, string]>([
    [
      "throws",
      () => {
        throw new Error("vault sealed")
      },
      "vault sealed"
    ],
    ["rejects", () => Promise.reject(new Error("vault sealed")), "vault sealed"],
    ["returns an empty key", () => "", "apiKey() did not return a key. Nothing was sent."],
    ["returns a key with a line break", () => "canary\n", "apiKey() did not return a key. Nothing was sent."],
    ["returns undefined", () => undefined as never, "apiKey() did not return a key. Nothing was sent."]
  ])("is not sent if apiKey %s", async (_, apiKey, message) => {
    await using server = await serve((response) => json(response, {}))
    expect(await rejection(transport(server.url, { apiKey }).send(quote, alive()))).toStrictEqual(new Error(message))
    expect(await failure(server.url, { apiKey })).toMatchObject({
      _tag: "Unavailable",
      reason: "network",
      retry: "later",
      cause: message
    })
    expect(server.received).toHaveLength(0)
  })

  it("uses the caller's fetch, without following redirects and without a cache", async () => {
    const calls: Array<{ readonly url: string; readonly init: RequestInit }> = []
    const own = async function (this: unknown, url: string, init: RequestInit) {
      expect(this).toBeUndefined()
      calls.push({ url, init })
      return new Response(`{"ok":true}`, { headers: { "X-Request-Id": "r-1" } })
    }
    const answer = await transport("https://swap.example/geo", { fetch: own }).send(quote, alive())
    expect(answer).toEqual({
      status: 200,
      headers: { "content-type": "text/plain;charset=UTF-8", "x-request-id": "r-1" },
      body: `{"ok":true}`
    })
    expect(calls).toHaveLength(1)
    expect(calls[0]?.url).toBe("https://swap.example/geo/swap/quote")
    expect(calls[0]?.init).toMatchObject({ redirect: "manual", cache: "no-store", method: "POST" })
    // Left to the platform: the page's own server may identify users by a cookie.
    expect(calls[0]?.init).not.toHaveProperty("credentials")
  })

  it("omits options that the runtime does not support, since some workers throw on them", async () => {
    vi.stubGlobal("Request", function () {})
    try {
      const strict = async (_: string, init: RequestInit) => {
        for (const field of ["cache", "credentials", "mode", "referrerPolicy", "keepalive"]) {
          if (field in init) throw new TypeError(`The '${field}' field on 'RequestInitializerDict' is not implemented.`)
        }
        return new Response(JSON.stringify(init.redirect))
      }
      const answer = await transport("https://swap.example", { fetch: strict }).send(quote, alive())
      expect(answer.body).toBe(`"manual"`)
    } finally {
      vi.unstubAllGlobals()
    }
  })

  it("reuses the connection of the previous request", async () => {
    await using server = await serve((response) => json(response, { ok: true }))
    const { send } = transport(server.url)
    await send(quote, alive())
    // Node releases a connection one turn after the response is read.
    await setImmediate()
    await send(status, alive())
    expect(server.received).toHaveLength(2)
    expect(server.received[1]?.socket === server.received[0]?.socket).toBe(true)
  })

  it("leaves its connection to the next request, even if its timeout or signal fires afterwards", async () => {
    await using server = await serve((response) => json(response, { ok: true }))
    const deadlines = deadlinesByHand()
    const { send } = transport(server.url)
    const controller = new AbortController()
    await send(quote, { signal: controller.signal })
    controller.abort()
    deadlines[0]?.()
    // The connection is free from the next turn of the event loop.
    await setImmediate()
    await send(status, alive())
    expect(server.received[1]?.socket === server.received[0]?.socket).toBe(true)
  })

  it("does not wait for a held request and does not end with it", async () => {
    await using server = await serve((response, { url }) => (url === quote.path ? json(response, {}) : undefined))
    const deadlines = deadlinesByHand()
    const { send } = transport(server.url)
    const controller = new AbortController()
    const aborted = rejection(send(status, { signal: controller.signal }))
    const late = rejection(send(status, alive()))
    await expect.poll(() => server.received).toHaveLength(2)
    expect(await send(quote, alive())).toMatchObject({ status: 200 })
    controller.abort("enough")
    expect(await aborted).toBe("enough")
    expect(await send(quote, alive())).toMatchObject({ status: 200 })
    deadlines[1]?.()
    expect(await late).toMatchObject({ reason: "timeout" })
  })
})

describe("a response", () => {
  it("keeps its status, its text and its headers in lower case", async () => {
    await using server = await serve((response) =>
      response
        .writeHead(429, { "X-Request-Id": "r-1", "Retry-After": "7", RateLimit: `"q";r=0;t=7`, "RateLimit-Reset": "7" })
        .end(`{"code":"RATE_LIMITED"}`)
    )
    const answer = await transport(server.url).send(quote, alive())
    expect(answer).toMatchObject({
      status: 429,
      headers: { "x-request-id": "r-1", "retry-after": "7", ratelimit: `"q";r=0;t=7`, "ratelimit-reset": "7" },
      body: `{"code":"RATE_LIMITED"}`
    })
    expect(Date.parse(answer.headers["date"] ?? "")).not.toBeNaN()
  })

  it("may be empty", async () => {
    await using server = await serve((response) => response.writeHead(204).end())
    expect(await transport(server.url).send(quote, alive())).toMatchObject({ status: 204, body: "" })
  })

  it("is decoded correctly if a character is split between two packets", async () => {
    const bytes = new TextEncoder().encode(`{"symbol":"₮ 🪙"}`)
    await using server = await serve((response) => {
      response.writeHead(200)
      const write = (at: number): void => {
        if (at === bytes.length) response.end()
        else response.write(bytes.subarray(at, at + 1), () => void setImmediate(at + 1).then(write))
      }
      write(0)
    })
    expect((await transport(server.url).send(quote, alive())).body).toBe(`{"symbol":"₮ 🪙"}`)
  })

  it("ends in a replacement character if it stops within a character", async () => {
    await using server = await serve((response) => response.end(new Uint8Array([0x22, 0xe2])))
    expect((await transport(server.url).send(quote, alive())).body).toBe(`"\ufffd`)
  })

  it.each([301, 302, 303, 307, 308])(
    "with status %i is not followed, and the key is not sent elsewhere",
    async (code) => {
      await using elsewhere = await serve((response) => json(response, {}))
      await using server = await serve((response) =>
        response.writeHead(code, { location: `${elsewhere.url}/swap/quote`, "x-request-id": "r-1" }).end("moved")
      )
      expect(await transport(server.url).send(quote, alive())).toMatchObject({
        status: code,
        headers: { location: `${elsewhere.url}/swap/quote`, "x-request-id": "r-1" },
        body: "moved"
      })
      // Its body is read, so the connection can serve the next call.
      await setImmediate()
      expect(await failure(server.url)).toMatchObject({
        _tag: "ProtocolError",
        endpoint: "quote",
        field: "",
        requestId: "r-1",
        retry: "never",
        message: `The service responded to quote with HTTP ${code}: check its URL.`
      })
      expect(server.received[1]?.socket === server.received[0]?.socket).toBe(true)
      expect(server.received).toHaveLength(2)
      expect(elsewhere.received).toHaveLength(0)
    }
  )

  it("that is an endless redirect is cut off at maxResponseBytes, and the connection is closed", async () => {
    await using server = await serve((response) => {
      response.writeHead(302, { location: "/" })
      response.write("x".repeat(2_000))
    })
    const error = await rejection(transport(server.url, { maxResponseBytes: 1_000 }).send(quote, alive()))
    expect(error).toMatchObject({
      _tag: "ProtocolError",
      message: expect.stringContaining("maxResponseBytes") as string
    })
    await server.received[0]?.closed
  })

  it("that is an opaque redirect of a browser is refused", async () => {
    const opaque = Object.defineProperty(Response.error(), "type", { value: "opaqueredirect" })
    const fetch = async () => opaque
    const answer = await transport("https://swap.example", { fetch }).send(quote, alive())
    expect(answer).toEqual({ status: 0, headers: {}, body: "" })
    expect(await failure("https://swap.example", { fetch })).toMatchObject({
      _tag: "ProtocolError",
      endpoint: "quote",
      retry: "never",
      message: expect.stringContaining("check its URL") as string
    })
  })
})

describe("a response above maxResponseBytes", () => {
  const tooLarge = {
    _tag: "ProtocolError",
    endpoint: "quote",
    field: "",
    message: expect.stringContaining("maxResponseBytes") as string
  }
  const bounded = (url: string) => transport(url, { maxResponseBytes: 1_000 }).send(quote, alive())

  it("is cut off if Content-Length is too large, and the connection is closed", async () => {
    await using server = await serve((response) => {
      response.writeHead(200, { "content-length": 10_000_000 })
      response.write("x".repeat(2_000))
    })
    expect(await rejection(bounded(server.url))).toMatchObject(tooLarge)
    await server.received[0]?.closed
  })

  it("is cut off if it has no length and never ends", async () => {
    await using server = await serve((response) => {
      response.writeHead(200)
      const more = () =>
        void (response.destroyed || response.write("x".repeat(100), () => void setImmediate().then(more)))
      more()
    })
    expect(await rejection(bounded(server.url))).toMatchObject(tooLarge)
    await server.received[0]?.closed
  })

  it("is cut off if it is small but decompresses to more", async () => {
    const packed = gzipSync("x".repeat(100_000))
    expect(packed.length).toBeLessThan(1_000)
    await using server = await serve((response) =>
      response.writeHead(200, { "content-encoding": "gzip", "content-length": packed.length }).end(packed)
    )
    expect(await rejection(bounded(server.url))).toMatchObject(tooLarge)
  })

  it("is read up to the last allowed byte", async () => {
    await using server = await serve((response) => response.end("x".repeat(1_000)))
    expect((await bounded(server.url)).body).toHaveLength(1_000)
  })

  it("is cut off at 1 MiB by default", async () => {
    let size = 2 ** 20
    await using server = await serve((response) => response.end("x".repeat(size)))
    expect((await transport(server.url).send(quote, alive())).body).toHaveLength(size)
    size += 1
    expect(await rejection(transport(server.url).send(quote, alive()))).toMatchObject({ _tag: "ProtocolError" })
  })

  it("keeps its status if it is a refusal, and is cut off", async () => {
    await using server = await serve((response) => {
      response.writeHead(503, { "x-request-id": "r-1", "retry-after": "3" })
      response.write("x".repeat(5_000))
    })
    expect(await bounded(server.url)).toMatchObject({
      status: 503,
      headers: { "retry-after": "3", "x-request-id": "r-1" },
      body: ""
    })
    await server.received[0]?.closed
  })
})

describe("a connection that fails", () => {
  it("becomes Unavailable if no server listens", async () => {
    const closed = await serve(() => undefined)
    await closed.close()
    const error = await failure(closed.url)
    expect(error).toBeInstanceOf(SwapError.Unavailable)
    expect(error).toMatchObject({
      reason: "network",
      retry: "later",
      cause: expect.stringContaining("ECONNREFUSED") as string
    })
  })

  it("rejects send with the error of the runtime, which core describes", async () => {
    const closed = await serve(() => undefined)
    await closed.close()
    const error = await rejection(transport(closed.url).send(quote, alive()))
    expect(error).toBeInstanceOf(TypeError)
    expect(error).toMatchObject({ message: "fetch failed", cause: { code: "ECONNREFUSED" } })
    const own = new Error("proxy down")
    const fetch = () => Promise.reject(own)
    expect(await rejection(transport(closed.url, { fetch }).send(quote, alive()))).toBe(own)
    expect(await failure(closed.url, { fetch })).toMatchObject({ _tag: "Unavailable", cause: "proxy down" })
  })

  it("becomes Unavailable if it is cut before the response", async () => {
    await using server = await serve((_, { socket }) => socket.destroy())
    expect(await failure(server.url)).toMatchObject({ _tag: "Unavailable", reason: "network" })
    expect(server.received).toHaveLength(1)
  })

  it("becomes Unavailable if it is cut in the middle of the response", async () => {
    await using server = await serve((response, { socket }) => {
      response.writeHead(200)
      response.write(`{"geoQuoteToken":"canary`, () => void setImmediate().then(() => socket.destroy()))
    })
    const error = await failure(server.url)
    expect(error).toMatchObject({ _tag: "Unavailable", reason: "network", cause: expect.any(String) as string })
    expect(JSON.stringify([error, error.message, error.cause])).not.toContain("canary")
  })

  it("becomes Unavailable if the response is shorter than Content-Length", async () => {
    await using server = await serveBytes("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{}", "close")
    expect(await failure(server.url)).toMatchObject({ _tag: "Unavailable", reason: "network" })
  })

  it("reads no more of the response than Content-Length", async () => {
    await using server = await serveBytes("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}{}{}{}", "stay")
    expect((await transport(server.url).send(quote, alive())).body).toBe("{}")
  })

  it("becomes Unavailable if the server does not speak HTTP", async () => {
    await using server = await serveBytes("SSH-2.0-OpenSSH_9.9\r\n", "stay")
    expect(await failure(server.url)).toMatchObject({ _tag: "Unavailable", reason: "network" })
  })
})

describe("a timeout", () => {
  const calls = [
    ["quote", "quote", 10_000],
    ["delegation", "delegation", 10_000],
    ["build", "build-geo-op", 15_000],
    ["build", "build-solana-tx", 15_000],
    ["submit", "submit", 20_000],
    ["submit", "submit-solana", 20_000],
    ["status", "status", 25_000],
    ["chains", "chains", 10_000]
  ] as const

  it.each(calls)("of %s ends %s and closes its connection", async (call, endpoint) => {
    await using server = await serve(() => undefined)
    const { send } = transport(server.url, { timeouts: { [call]: 50 } })
    expect(await rejection(send({ ...status, endpoint }, alive()))).toMatchObject({
      _tag: "Unavailable",
      reason: "timeout",
      retry: "later"
    })
    await server.received[0]?.closed
  })

  it("covers the response to its last byte, even if bytes keep coming", async () => {
    await using server = await serve((response) => {
      response.writeHead(200)
      const more = () => void (response.destroyed || response.write(" ", () => setTimeout(more, 5)))
      more()
    })
    const error = await rejection(transport(server.url, { timeouts: { quote: 100 } }).send(quote, alive()))
    expect(error).toMatchObject({ _tag: "Unavailable", reason: "timeout" })
    await server.received[0]?.closed
  })

  it("ends a redirect whose body never arrives and closes its connection", async () => {
    await using server = await serve((response) => void response.writeHead(302, { location: "/" }).write("m"))
    const error = await rejection(transport(server.url, { timeouts: { quote: 100 } }).send(quote, alive()))
    expect(error).toMatchObject({ _tag: "Unavailable", reason: "timeout" })
    await server.received[0]?.closed
  })

  it("covers a slow apiKey function, after which nothing is sent", async () => {
    const fetch = vi.fn<() => Promise<Response>>(async () => new Response("{}"))
    const key = deferred<string>()
    const deadlines = deadlinesByHand()
    const { send } = transport("https://swap.example", { apiKey: () => key.promise, fetch })
    const call = rejection(send(quote, alive()))
    deadlines[0]?.()
    key.resolve("key-1")
    expect(await call).toMatchObject({ _tag: "Unavailable", reason: "timeout" })
    expect(fetch).not.toHaveBeenCalled()
  })

  it.each(calls)("of %s defaults to the value that the document needs: %s after %i ms", async (_, endpoint, millis) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    try {
      const fetch = (_: string, { signal }: RequestInit) =>
        new Promise<Response>((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason as Error))
        })
      let error: unknown
      const call = transport("https://swap.example", { fetch }).send({ ...status, endpoint }, alive())
      call.catch((reason: unknown) => (error = reason))
      await vi.advanceTimersByTimeAsync(millis - 1)
      expect(error).toBeUndefined()
      await vi.advanceTimersByTimeAsync(1)
      expect(error).toMatchObject({ reason: "timeout" })
    } finally {
      vi.useRealTimers()
    }
  })

  it("of another call does not affect a held status", async () => {
    await using server = await serve((response) => void setTimeout(json, 300, response, { status: "pending" }))
    const { send } = transport(server.url, {
      timeouts: { quote: 50, delegation: 50, build: 50, submit: 50, chains: 50 }
    })
    expect(await send(status, alive())).toMatchObject({ status: 200, body: `{"status":"pending"}` })
  })
})

describe("the caller's signal", () => {
  it("prevents the request if it is already aborted", async () => {
    await using server = await serve((response) => json(response, {}))
    const reason = new Error("changed my mind")
    const error = await rejection(transport(server.url).send(quote, { signal: AbortSignal.abort(reason) }))
    expect(error).toBe(reason)
    // This request is the first to arrive, so the other one was not sent.
    await transport(server.url).send(status, alive())
    expect(server.received.map(({ url }) => url)).toEqual([status.path])
  })

  it("closes the socket while the service is working", async () => {
    await using server = await serve(() => undefined)
    const controller = new AbortController()
    const reason = new Error("changed my mind")
    const call = rejection(transport(server.url).send(status, { signal: controller.signal }))
    await expect.poll(() => server.received).toHaveLength(1)
    controller.abort(reason)
    expect(await call).toBe(reason)
    await server.received[0]?.closed
  })

  it("closes the socket in the middle of the response", async () => {
    await using server = await serve((response) => {
      response.writeHead(200)
      response.write("{")
    })
    const controller = new AbortController()
    const headersCame = deferred<void>()
    const call = rejection(
      transport(server.url, {
        fetch: async (url, init) => {
          const response = await fetch(url, init)
          headersCame.resolve()
          return response
        }
      }).send(status, { signal: controller.signal })
    )
    await headersCame.promise
    controller.abort("enough")
    expect(await call).toBe("enough")
    await server.received[0]?.closed
  })

  it("prevents the request while apiKey is pending", async () => {
    const late = deferred<string>()
    const fetch = vi.fn<() => Promise<Response>>(async () => new Response("{}"))
    const controller = new AbortController()
    const { send } = transport("https://swap.example", { apiKey: () => late.promise, fetch })
    const call = rejection(send(quote, { signal: controller.signal }))
    controller.abort("enough")
    late.resolve("key-1")
    expect(await call).toBe("enough")
    expect(fetch).not.toHaveBeenCalled()
  })

  it.each<[string, Partial<FetchTransportOptions>]>([
    ["the function for the key", { apiKey: () => Promise.reject(new Error("vault sealed")) }],
    ["fetch", { fetch: () => Promise.reject(new TypeError("fetch failed")) }],
    [
      "the body",
      { fetch: async () => new Response(new ReadableStream({ pull: () => Promise.reject(new Error("cut")) })) }
    ]
  ])("rejects with its reason even if %s fails at the same time", async (_, options) => {
    const controller = new AbortController()
    const call = rejection(transport("https://swap.example", options).send(quote, { signal: controller.signal }))
    controller.abort("enough")
    expect(await call).toBe("enough")
  })

  it("has no listener left and the process no timer, whatever the outcome", async () => {
    await using server = await serve((response, { url }) =>
      url === "/swap/quote" ? json(response, {}) : url === "/swap/chains" ? response.writeHead(302).end() : undefined
    )
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length
    const { signal } = new AbortController()
    const { send } = transport(server.url, { timeouts: { status: 30, quote: 600_000, chains: 600_000 } })
    const before = timers()
    for (let round = 0; round < 5; round++) {
      await send(quote, { signal })
      await send({ ...status, endpoint: "chains", path: "/swap/chains" }, { signal })
      await rejection(send(status, { signal }))
    }
    const controller = new AbortController()
    const call = rejection(send({ ...status, endpoint: "quote" }, { signal: controller.signal }))
    controller.abort()
    await call
    expect(getEventListeners(signal, "abort")).toHaveLength(0)
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0)
    // Node's keep-alive timers may come and go. Leaked ones would be sixteen.
    expect(timers() - before).toBeLessThan(8)
  })
})
