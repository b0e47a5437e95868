import { type SwapError, Transport } from "@geoswap/core"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import type { ServerResponse } from "node:http"
import { FetchTransport } from "../src/index.js"
import { json, type Received, serve } from "./server.js"

const apiKey = "key-1"

/** A server for the duration of the test, and a transport to it. */
const connected = (
  answer: (response: ServerResponse, request: Received) => unknown,
  options: Partial<FetchTransport.Options> = {}
) =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => serve(answer)),
      (server) => Effect.promise(server.close)
    )
    const transport = yield* FetchTransport.make({ baseUrl: server.url, apiKey, ...options })
    return { server, transport }
  })

const wallet = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
const hash = `0x${"ab".repeat(32)}` as const
const authorization = { chainId: 31337, address: token, nonce: 7, yParity: 1, r: hash, s: hash } as const
const expiresAt = new Date(Date.now() + 30_000).toISOString()

const answers: Readonly<Record<string, unknown>> = {
  "/swap/quote": { geoQuoteToken: "gq1.q", output: "995", feeBps: 5, expiresAt },
  "/swap/delegation": { delegated: true, originReady: true },
  "/swap/build-geo-op": { geoOpHash: hash, geoOpToken: "go1.o" },
  "/swap/build-solana-tx": { unsignedTransaction: "AQID", geoOpToken: "go1.o" },
  "/swap/submit": { swapId: "s/1", status: "pending" },
  "/swap/submit-solana": { swapId: "s/1", status: "pending" },
  "/swap/status/s%2F1": { swapId: "s/1", status: "settled" },
  "/swap/chains": { chains: [{ id: 31337, name: "one", kind: "evm", tokens: [] }] }
}
const service = (response: ServerResponse, { url }: Received) => json(response, answers[url.split("?")[0] ?? ""])

interface Call {
  readonly name: string
  readonly call: (transport: Transport.Transport) => Effect.Effect<unknown, SwapError.SwapError>
  readonly line: string
  readonly body?: unknown
}

const calls: ReadonlyArray<Call> = [
  {
    name: "quote",
    call: ({ quote }) =>
      quote({
        originChain: 31337,
        destinationChain: 31338,
        inputToken: token,
        outputToken: wallet,
        amount: 2n ** 256n - 1n,
        walletAddress: wallet
      }),
    line: "POST /swap/quote",
    body: {
      originChain: 31337,
      destinationChain: 31338,
      inputToken: token,
      outputToken: wallet,
      amount: (2n ** 256n - 1n).toString(),
      walletAddress: wallet
    }
  },
  {
    name: "delegation",
    call: ({ delegation }) => delegation({ chainId: 31337, walletAddress: wallet }),
    line: `GET /swap/delegation?chainId=31337&walletAddress=${wallet}`
  },
  {
    name: "build of an EVM origin",
    call: ({ buildGeoOp }) => buildGeoOp({ geoQuoteToken: "gq1.q", authorization }),
    line: "POST /swap/build-geo-op",
    body: { geoQuoteToken: "gq1.q", authorization }
  },
  {
    name: "build of a Solana origin",
    call: ({ buildSolanaTx }) => buildSolanaTx({ geoQuoteToken: "gq1.q" }),
    line: "POST /swap/build-solana-tx",
    body: { geoQuoteToken: "gq1.q" }
  },
  {
    name: "submit of an EVM origin",
    call: ({ submit }) => submit({ geoOpToken: "go1.o", signature: "0xab" }),
    line: "POST /swap/submit",
    body: { geoOpToken: "go1.o", signature: "0xab" }
  },
  {
    name: "submit of a Solana origin",
    call: ({ submitSolana }) => submitSolana({ geoOpToken: "go1.o", signedTransaction: "AQID" }),
    line: "POST /swap/submit-solana",
    body: { geoOpToken: "go1.o", signedTransaction: "AQID" }
  },
  { name: "status", call: ({ status }) => status("s/1"), line: "GET /swap/status/s%2F1" },
  { name: "chains", call: ({ chains }) => chains, line: "GET /swap/chains" }
]

describe("each endpoint", () => {
  for (const { body, call, line, name } of calls) {
    it.live(`${name} sends ${line.split("?")[0]} and parses the response`, () =>
      Effect.gen(function* () {
        const { server, transport } = yield* connected(service)
        yield* call(transport)
        expect(server.received).toHaveLength(1)
        const [request] = server.received
        expect(`${request?.method} ${request?.url}`).toBe(line)
        expect(request?.headers).toMatchObject({ "x-api-key": "key-1", accept: "application/json" })
        expect(request?.headers["content-type"]).toBe(body === undefined ? undefined : "application/json")
        expect(request?.body === "" ? undefined : JSON.parse(request?.body ?? "")).toEqual(body)
      })
    )
  }

  it.live("sends delegation to the path form if delegationPath is path", () =>
    Effect.gen(function* () {
      const { server, transport } = yield* connected(
        (response) => json(response, { delegated: true, originReady: true }),
        { delegationPath: "path" }
      )
      yield* transport.delegation({ chainId: 31337, walletAddress: wallet })
      expect(server.received[0]?.url).toBe(`/swap/delegation/31337/${wallet}`)
    })
  )
})

describe("a response of the service", () => {
  const statusOf = (answer: (response: ServerResponse) => unknown, options?: Partial<FetchTransport.Options>) =>
    Effect.flatMap(connected(answer, options), ({ transport }) => Effect.flip(transport.status("s-1")))

  it.live("becomes a ProtocolError if it is not JSON", () =>
    Effect.gen(function* () {
      const error = yield* statusOf((response) =>
        response.writeHead(200, { "x-request-id": "r-1" }).end("<html>canary")
      )
      expect(error).toMatchObject({ _tag: "ProtocolError", endpoint: "status", requestId: "r-1" })
      expect(error.message).not.toContain("canary")
    })
  )

  it.live("becomes RateLimited with the delay of Retry-After", () =>
    Effect.gen(function* () {
      const error = yield* statusOf((response) =>
        json(response, { code: "RATE_LIMITED", message: "Slow down." }, 429, {
          "retry-after": "7",
          "x-request-id": "r-1"
        })
      )
      expect(error).toMatchObject({ _tag: "RateLimited", code: "RATE_LIMITED", retryAfter: 7_000, requestId: "r-1" })
    })
  )

  it.live("becomes RateLimited with the delay between the dates of Retry-After and Date", () =>
    Effect.gen(function* () {
      const now = Date.now()
      const error = yield* statusOf((response) =>
        json(response, {}, 429, {
          date: new Date(now).toUTCString(),
          "retry-after": new Date(now + 9_000).toUTCString()
        })
      )
      expect(error).toMatchObject({ _tag: "RateLimited", retryAfter: 9_000 })
    })
  )

  it.live("becomes RateLimited with the delay of RateLimit", () =>
    Effect.gen(function* () {
      const error = yield* statusOf((response) => json(response, {}, 429, { RateLimit: `"status";r=0;t=5` }))
      expect(error).toMatchObject({ _tag: "RateLimited", retryAfter: 5_000 })
    })
  )

  it.live("becomes Unavailable if a proxy answers 502 with HTML", () =>
    Effect.gen(function* () {
      const error = yield* statusOf((response) =>
        response
          .writeHead(502, { "content-type": "text/html", "x-request-id": "r-1" })
          .end("<html><h1>502 Bad Gateway</h1></html>")
      )
      expect(error).toMatchObject({ _tag: "Unavailable", reason: "server", status: 502, requestId: "r-1" })
      expect(error.message).not.toContain("<")
    })
  )

  it.live("keeps the request id of a refusal", () =>
    Effect.gen(function* () {
      const error = yield* statusOf((response) =>
        json(response, { code: "SWAP_NOT_FOUND" }, 404, { "x-request-id": "r-1" })
      )
      expect(error).toMatchObject({ _tag: "Rejected", code: "SWAP_NOT_FOUND", requestId: "r-1" })
    })
  )

  it.live("becomes a typed error if it is a redirect, too large, late or cut off", () =>
    Effect.gen(function* () {
      const redirect = yield* statusOf((response) =>
        response.writeHead(308, { location: "https://x.example", "x-request-id": "r-1" }).end()
      )
      expect(redirect).toMatchObject({
        _tag: "ProtocolError",
        endpoint: "status",
        requestId: "r-1",
        message: expect.stringContaining("308: check its URL") as string
      })
      const large = yield* statusOf((response) => response.end("x".repeat(100)), { maxResponseBytes: 10 })
      expect(large).toMatchObject({
        _tag: "ProtocolError",
        message: expect.stringContaining("maxResponseBytes") as string
      })
      const late = yield* statusOf(() => undefined, { timeouts: { status: 30 } })
      expect(late).toMatchObject({ _tag: "Unavailable", reason: "timeout" })
      const broken = yield* statusOf((response) => response.destroy())
      expect(broken).toMatchObject({ _tag: "Unavailable", reason: "network", cause: expect.any(String) as string })
    })
  )
})

describe("traceparent", () => {
  it.live.each([[undefined], [true]])("carries the caller's span if the option is %s", ([traceparent]) =>
    Effect.gen(function* () {
      const { server } = yield* connected(service)
      const transport = yield* Effect.provide(
        Transport.Transport,
        FetchTransport.layer({ baseUrl: server.url, apiKey, traceparent })
      )
      const span = yield* Effect.withSpan(
        Effect.tap(Effect.currentSpan, () => transport.chains),
        "caller"
      )
      expect(server.received[0]?.headers["traceparent"]).toBe(`00-${span.traceId}-${span.spanId}-01`)
    })
  )

  it.live("is omitted if the caller has no span", () =>
    Effect.gen(function* () {
      const { server, transport } = yield* connected(service)
      yield* transport.chains
      expect(server.received[0]?.headers["traceparent"]).toBeUndefined()
    })
  )

  it.live("is omitted if the option is false", () =>
    Effect.gen(function* () {
      const { server, transport } = yield* connected(service, { traceparent: false })
      yield* Effect.withSpan(transport.chains, "caller")
      expect(server.received[0]?.headers["traceparent"]).toBeUndefined()
    })
  )
})

describe("FetchTransport", () => {
  it.live("closes the socket on interruption", () =>
    Effect.gen(function* () {
      const { server, transport } = yield* connected(() => undefined)
      const fiber = yield* Effect.forkChild(transport.status("s-1"))
      while (server.received[0] === undefined) yield* Effect.sleep(5)
      yield* Fiber.interrupt(fiber)
      yield* Effect.promise(() => server.received[0]?.closed ?? Promise.reject(new Error("nothing came")))
      expect(Exit.hasInterrupts(yield* Fiber.await(fiber))).toBe(true)
    })
  )

  it.live("accepts a redacted key", () =>
    Effect.gen(function* () {
      const { server, transport } = yield* connected(service, { apiKey: Redacted.make("key-2") })
      yield* transport.chains
      expect(server.received[0]?.headers["x-api-key"]).toBe("key-2")
    })
  )

  it.live("provides a layer", () =>
    Effect.gen(function* () {
      const { server } = yield* connected(service)
      const chains = yield* Effect.flatMap(Transport.Transport, (transport) => transport.chains).pipe(
        Effect.provide(FetchTransport.layer({ baseUrl: server.url, apiKey }))
      )
      expect(chains).toMatchObject([{ id: 31337 }])
    })
  )

  it.effect("fails with InvalidInput if an option is invalid", () =>
    Effect.gen(function* () {
      const options = { baseUrl: "http://swap.example", apiKey }
      expect(yield* Effect.flip(FetchTransport.make(options))).toMatchObject({ _tag: "InvalidInput", field: "baseUrl" })
      const build = Effect.provide(Transport.Transport, FetchTransport.layer(options))
      expect(yield* Effect.flip(build)).toMatchObject({ _tag: "InvalidInput", field: "baseUrl" })
      const empty = FetchTransport.make({ ...options, baseUrl: "https://swap.example", apiKey: Redacted.make("") })
      expect(yield* Effect.flip(empty)).toMatchObject({ _tag: "InvalidInput", field: "apiKey" })
      const nothing = FetchTransport.make(undefined as never)
      expect(yield* Effect.flip(nothing)).toMatchObject({ _tag: "InvalidInput", field: "baseUrl" })
    })
  )
})
