/** Writes a response from Effect's `HttpServer` to node:http. */
import type { ServerResponse } from "node:http"
import { HttpApp } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Cookies from "effect/http/Cookies"
import { HttpServerError, ResponseError } from "effect/http/HttpServerError"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"

/** The body, if it can be sent in one piece. */
const contentOf = (response: HttpServerResponse.HttpServerResponse) => {
  const { body } = response
  if (body._tag === "Uint8Array") return body.text ?? body.body
  if (body._tag === "Empty" || HttpServerResponse.omitsBody(response)) return ""
  return body._tag === "Raw" && typeof body.body === "string" ? body.body : undefined
}

/** Returns alternating header names and values. Adds `content-length` if it is not set. */
const linesOf = (response: HttpServerResponse.HttpServerResponse, content: string | Uint8Array) => {
  const { cookies, headers, status } = response
  const lines = Object.entries(headers).flat()
  if (headers["content-length"] === undefined && status !== 204 && status !== 304) {
    lines.push("content-length", String(Buffer.byteLength(content)))
  }
  if (!Cookies.isEmpty(cookies)) {
    for (const cookie of Cookies.toSetCookieHeaders(cookies)) lines.push("set-cookie", cookie)
  }
  return lines
}

/** Sends a response that was made without Effect. */
export const respondDirectly = (out: ServerResponse, { body, headers, status }: HttpApp.DirectResponse) => {
  const lines = Object.entries(headers).flat()
  lines.push("content-length", String(Buffer.byteLength(body)))
  out.writeHead(status, lines).end(body)
}

/** Sends a response. In-memory bodies are sent in one piece, and all others are piped with backpressure. */
export const respond = (
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse,
  out: ServerResponse
): Effect.Effect<void, HttpServerError> => {
  if (out.destroyed || out.headersSent || response === HttpApp.held) return Effect.void
  const content = contentOf(response)
  if (content !== undefined) {
    out.writeHead(response.status, linesOf(response, content)).end(content)
    return Effect.void
  }
  return Effect.contextWith((context) => {
    const web = HttpServerResponse.toWeb(response, { context, withoutBody: request.method === "HEAD" })
    const failed = (cause: unknown) => new HttpServerError({ reason: new ResponseError({ request, response, cause }) })
    out.writeHead(response.status, [...web.headers].flat())
    if (web.body === null) return Effect.sync(() => out.end())
    const { body } = web
    const chunks = Stream.fromReadableStream({ evaluate: () => body, onError: failed })
    // Handlers respond uninterruptibly, but waiting for a slow client must be interruptible.
    return Effect.interruptible(
      Effect.onExit(
        Stream.runForEach(chunks, (chunk) => write(out, chunk, failed)),
        // A regular `end` would make a partial response look complete.
        (exit) => Effect.sync(() => (Exit.isSuccess(exit) ? out.end() : out.destroy()))
      )
    )
  })
}

/** Writes a chunk. Completes when the chunk has been flushed to the client. */
const write = <E>(out: ServerResponse, chunk: Uint8Array, failed: (cause: unknown) => E) =>
  Effect.callback<void, E>((resume) => {
    out.write(chunk, (error) => resume(error ? Effect.fail(failed(error)) : Effect.void))
  })
