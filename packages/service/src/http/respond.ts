/** Builds responses. Each response has a request id and disables caching and content sniffing. */
import type * as Headers from "effect/http/Headers"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { headersOf } from "../accounts/RateLimits.js"
import { type Refusal, refuse } from "../Refusal.js"
import type { ErrorAnswer } from "./errorSchemas.js"

export type HeaderFields = Readonly<Record<string, string>>

const requestIdPattern = /^[A-Za-z0-9._-]{1,64}$/

/** Returns the caller's request id if it is safe to log. Otherwise, generates a request id. */
export const requestIdOf = (headers: Headers.Headers): string => {
  const sent = headers["x-request-id"]
  return sent !== undefined && requestIdPattern.test(sent) ? sent : crypto.randomUUID()
}

/** Builds a response. The server sets the content length. */
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

/** Builds a JSON response with the call's headers. */
export const respondJson = (
  { headers, requestId }: { readonly requestId: string; readonly headers: HeaderFields },
  body: string
): HttpServerResponse.HttpServerResponse => respond(requestId, 200, "application/json", body, headers)

/** Builds a response without a body. */
export const respondEmpty = (requestId: string, headers: HeaderFields): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ headers: { "cache-control": "no-store", "x-request-id": requestId, ...headers } })

/** Builds an error response. A request body that is too large is not read to the end, so the connection is closed. */
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

/** The refusal for a defect. The refusal says only how to report the problem. */
export const internal = (requestId: string): Refusal =>
  refuse("INTERNAL", `Something went wrong on our side. Report it with the request id ${requestId}.`)
