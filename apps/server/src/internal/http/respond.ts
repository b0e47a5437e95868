/** Writes a response of Effect's server to node:http. */
import type { ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Cookies from "effect/http/Cookies"
import { HttpServerError, ResponseError } from "effect/http/HttpServerError"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"

/** Bodies in memory go out in one piece; all others are piped, as fast as the client reads and no faster. */
export const respond = (
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse,
  out: ServerResponse
): Effect.Effect<void, HttpServerError> => {
  if (out.destroyed || out.headersSent) return Effect.void
  const { body, cookies, headers, status } = response
  if (!Cookies.isEmpty(cookies)) out.setHeader("set-cookie", Cookies.toSetCookieHeaders(cookies))
  if (body._tag === "Uint8Array" || body._tag === "Empty" || HttpServerResponse.omitsBody(response)) {
    out.writeHead(status, headers)
    out.end(body._tag === "Uint8Array" ? (body.text ?? body.body) : undefined)
    return Effect.void
  }
  return Effect.contextWith((context) => {
    const web = HttpServerResponse.toWeb(response, { context, withoutBody: request.method === "HEAD" })
    const failed = (cause: unknown) => new HttpServerError({ reason: new ResponseError({ request, response, cause }) })
    out.writeHead(status, [...web.headers].flat())
    if (web.body === null) return Effect.sync(() => out.end())
    const { body } = web
    const chunks = Stream.fromReadableStream({ evaluate: () => body, onError: failed })
    // Whoever answers cannot be interrupted; whoever waits for the client to read must be.
    return Effect.interruptible(
      Effect.onExit(
        Stream.runForEach(chunks, (chunk) => write(out, chunk, failed)),
        // An end that looks regular would pass half an answer off as a whole one.
        (exit) => Effect.sync(() => (Exit.isSuccess(exit) ? out.end() : out.destroy()))
      )
    )
  })
}

/** Done when the client has taken it. */
const write = <E>(out: ServerResponse, chunk: Uint8Array, failed: (cause: unknown) => E): Effect.Effect<void, E> =>
  Effect.callback((resume) => {
    out.write(chunk, (error) => resume(error ? Effect.fail(failed(error)) : Effect.void))
  })
