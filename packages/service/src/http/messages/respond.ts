/** Builds responses. Each response has a request id and disables caching and content sniffing. */
import type * as Headers from "effect/http/Headers"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { headersOf } from "../../accounts/RateLimits.js"
import { type Refusal, refuse } from "../../domain/Refusal.js"

export type HeaderFields = Readonly<Record<string, string>>

const requestIdPattern = /^[A-Za-z0-9._-]{1,64}$/

/** Returns the request id that the caller sent if it is safe to log. Otherwise, generates a request id. */
export const requestIdFor = (sent: string | undefined): string =>
  sent !== undefined && requestIdPattern.test(sent) ? sent : crypto.randomUUID()

export const requestIdOf = (headers: Headers.Headers): string => requestIdFor(headers["x-request-id"])

const headersFor = (requestId: string, type: string, headers: HeaderFields | undefined): HeaderFields => ({
  "content-type": type,
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-request-id": requestId,
  ...headers
})

const json = "application/json"

/** The headers of a JSON response. */
export const jsonHeaders = (requestId: string, headers: HeaderFields): HeaderFields =>
  headersFor(requestId, json, headers)

/** Builds a response. The server sets the content length. */
export const respond = (
  requestId: string,
  status: number,
  type: string,
  body: string,
  headers?: HeaderFields
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.raw(body, { status, headers: headersFor(requestId, type, headers) })

/** Builds a JSON response with the call's headers. */
export const respondJson = (
  { headers, requestId }: { readonly requestId: string; readonly headers: HeaderFields },
  body: string
): HttpServerResponse.HttpServerResponse => respond(requestId, 200, json, body, headers)

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
  const body = { code, message, requestId, ...(details !== undefined && { details }) }
  return respond(requestId, refusal.status, json, JSON.stringify(body), {
    ...headers,
    ...headersOf(refusal),
    ...(code === "BODY_TOO_LARGE" && { connection: "close" })
  })
}

/** The refusal for a defect. The refusal says only how to report the problem. */
export const internal = (requestId: string): Refusal =>
  refuse("INTERNAL", `Something went wrong on our side. Report it with the request id ${requestId}.`)
