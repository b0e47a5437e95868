/** Serves MCP over streamable HTTP, on this machine only, for clients with the bearer token. */
import { createHash, timingSafeEqual } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { ReadableStream } from "node:stream/web"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as HttpRouter from "effect/http/HttpRouter"
import * as McpServer from "effect/ai/McpServer"
import { failure } from "../output/Exit.js"
import type { Output } from "../output/Output.js"
import type { Services } from "./backend.js"
import { registrations, serverOptions } from "./server.js"

/** Options for the HTTP server. */
export interface HttpOptions {
  readonly port: number
  /** The origins of web pages that may connect. Clients that are not web pages send no origin. */
  readonly origins: ReadonlyArray<string>
  readonly token: Redacted.Redacted
}

const path = "/mcp"

/** The largest request body, in bytes. */
const maxBody = 1_000_000

const digest = (text: string) => createHash("sha256").update(text).digest()

/** Compares secrets in constant time. */
const isSame = (one: string, other: string) => timingSafeEqual(digest(one), digest(other))

/** The answers before a request reaches the MCP server, and their headers. 204: to a browser's preflight request. */
const early = {
  204: {
    "access-control-allow-methods": "GET, POST, DELETE",
    "access-control-allow-headers":
      "authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id",
    "access-control-max-age": "600"
  },
  401: { "www-authenticate": "Bearer" },
  403: {}
} as const

/** Checks a request, and returns the status of an early answer. */
const check = (request: IncomingMessage, { origins, token }: HttpOptions) => {
  const { headers, method, socket } = request
  // A web page on another site can resolve its own name to this machine, but not change the header.
  const hosts = [`127.0.0.1:${socket.localPort}`, `localhost:${socket.localPort}`]
  if (!hosts.includes(headers.host ?? "")) return 403
  if (headers.origin !== undefined && !origins.includes(headers.origin)) return 403
  // A browser asks what a web page may send. Such a request has no token, and does nothing.
  const isPreflight = headers.origin !== undefined && headers["access-control-request-method"] !== undefined
  if (method === "OPTIONS" && isPreflight) return 204
  const [, given = ""] = /^Bearer ([^\s]+)$/i.exec(headers.authorization ?? "") ?? []
  return isSame(given, Redacted.value(token)) ? undefined : 401
}

/** Reads the body, or returns `undefined` if it is too large. */
const readBody = async (request: IncomingMessage) => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    // The rest of a large body is read, because a client does not read a response before it has sent its request.
    if (size <= maxBody) chunks.push(chunk)
    else if (size > 16 * maxBody) break
  }
  return size > maxBody ? undefined : new Uint8Array(Buffer.concat(chunks))
}

type Handler = (request: Request) => Promise<Response>

/** Passes a request to the handler, and streams its response. */
const forward = async (request: IncomingMessage, response: ServerResponse, handler: Handler) => {
  const body = await readBody(request)
  if (body === undefined) {
    response.writeHead(413).end()
    return
  }
  const abort = new AbortController()
  response.on("close", () => abort.abort())
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)])
  const { method = "GET", url = "/" } = request
  const answer = await handler(
    new Request(new URL(url, `http://${request.headers.host}`), {
      method,
      headers,
      signal: abort.signal,
      ...(method !== "GET" && method !== "HEAD" && { body })
    })
  )
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), "cache-control": "no-store" })
  if (answer.body === null) response.end()
  else await pipeline(Readable.fromWeb(answer.body as ReadableStream<Uint8Array>), response)
}

/** Serves until it is interrupted. `onListening` is called with the URL. */
export const serveHttp = (
  services: Context.Context<Services>,
  version: string,
  options: HttpOptions,
  onListening: (url: string) => Effect.Effect<void, never, Output>
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { dispose, handler } = HttpRouter.toWebHandler(
        McpServer.layerHttp({
          ...serverOptions(version),
          path,
          allowedOrigins: options.origins,
          allowSessionTermination: true,
          registrations: registrations(services)
        }),
        { disableLogger: true }
      )
      yield* Effect.addFinalizer(() => Effect.promise(dispose))
      const server = createServer((request, response) => {
        const status = check(request, options)
        const { origin } = request.headers
        // What a browser has to know before a web page with this origin may connect.
        if (origin !== undefined && status !== 403) {
          response.setHeader("access-control-allow-origin", origin)
          response.setHeader("access-control-expose-headers", "mcp-session-id, mcp-protocol-version, www-authenticate")
          response.setHeader("vary", "origin")
        }
        if (status !== undefined) {
          response.writeHead(status, early[status]).end()
          return
        }
        forward(request, response, (one) => handler(one)).catch(() => {
          // The client closed the connection, or the handler failed after the response had started.
          if (response.headersSent) response.destroy()
          else response.writeHead(500).end()
        })
      })
      // A call may wait for minutes.
      server.requestTimeout = 0
      yield* Effect.tryPromise({
        try: () => once(server.listen(options.port, "127.0.0.1"), "listening"),
        catch: (cause) =>
          failure(
            `The server cannot listen: ${cause instanceof Error ? cause.message : String(cause)}.`,
            "Pass another port with --port."
          )
      })
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          server.close()
          server.closeAllConnections()
        })
      )
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : options.port
      yield* onListening(`http://127.0.0.1:${port}${path}`)
      return yield* Effect.never
    })
  )
