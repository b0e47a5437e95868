/** What goes back: every answer with its id, never cached, never taken for something else than it is. */
import type * as Headers from "effect/http/Headers"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { headersOf } from "../accounts/RateLimits.js"
import { type Refusal, refuse } from "../Refusal.js"
import type { ErrorAnswer } from "./errorSchemas.js"

export type HeaderFields = Readonly<Record<string, string>>

const requestIdPattern = /^[A-Za-z0-9._-]{1,64}$/

/** The caller's own id of a request, where it has one that can be logged and repeated; otherwise a new one. */
export const requestIdOf = (headers: Headers.Headers): string => {
  const sent = headers["x-request-id"]
  return sent !== undefined && requestIdPattern.test(sent) ? sent : crypto.randomUUID()
}

/** An answer of any kind. Its length is the server's to count: the response is made with as few copies as can be. */
export const respond = (
  requestId: string,
  status: number,
  type: string,
  body: string,
  headers?: HeaderFields
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.raw(body, {
    status,
    headers: {
      "content-type": type,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-request-id": requestId,
      ...headers
    }
  })

/** An answer of JSON to a request, with the headers of every answer to it. */
export const respondJson = (
  { headers, requestId }: { readonly requestId: string; readonly headers: HeaderFields },
  body: string
): HttpServerResponse.HttpServerResponse => respond(requestId, 200, "application/json", body, headers)

/** An answer without a body. */
export const respondEmpty = (requestId: string, headers: HeaderFields): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ headers: { "cache-control": "no-store", "x-request-id": requestId, ...headers } })

/** A refusal in the form of the protocol. What came too large is not read to its end, so its connection ends. */
export const respondRefusal = (
  requestId: string,
  refusal: Refusal,
  headers?: HeaderFields
): HttpServerResponse.HttpServerResponse => {
  const { code, details, message } = refusal
  const body: ErrorAnswer = { code, message, requestId, ...(details !== undefined && { details }) }
  return respond(requestId, refusal.status, "application/json", JSON.stringify(body), {
    ...headers,
    ...headersOf(refusal),
    ...(code === "BODY_TOO_LARGE" && { connection: "close" })
  })
}

/** A mistake of ours, of which the caller learns only how to report it. */
export const internal = (requestId: string): Refusal =>
  refuse("INTERNAL", `Something went wrong on our side. Report it with the request id ${requestId}.`)
