/** Faults for the scripted service. */
import type { HttpResponse } from "../Transport.js"

/** What happens instead of, before or after the normal handling of a request. */
export type Fault =
  | { readonly type: "pass" }
  /** Sends this response instead of handling the request or, with `after`, once the request has taken effect. */
  | { readonly type: "respond"; readonly answer: HttpResponse; readonly after: boolean }
  /** Never responds. */
  | { readonly type: "hang"; readonly after: boolean }
  /** Breaks the connection. */
  | { readonly type: "disconnect"; readonly after: boolean }
  /** Delays the response. */
  | { readonly type: "delay"; readonly millis: number }
  /** Modifies the normal response. */
  | { readonly type: "alter"; readonly alter: (answer: Record<string, unknown>) => unknown }
  /** Increments the wallet's nonce before the request is handled. */
  | { readonly type: "move-nonce" }
  /** Expires the quote or the operation that the request refers to. */
  | { readonly type: "expire" }

const respond = (status: number, body: string, headers: HttpResponse["headers"] = {}, after = false): Fault => ({
  type: "respond",
  answer: { status, body, headers },
  after
})

/** Handles the request normally. Useful between other faults. */
export const pass: Fault = { type: "pass" }

/** Expires the quote or the operation that the request refers to. */
export const expire: Fault = { type: "expire" }

/** Increments the wallet's nonce before the request is handled. */
export const moveNonce: Fault = { type: "move-nonce" }

/** Never responds. With `after: true`, the request takes effect first. */
export const hang = ({ after = false } = {}): Fault => ({ type: "hang", after })

/** Breaks the connection. With `after: true`, the request takes effect first. */
export const disconnect = ({ after = false } = {}): Fault => ({ type: "disconnect", after })

/** Waits, then handles the request normally. */
export const delay = (millis: number): Fault => ({ type: "delay", millis })

/** Refuses the request with a status and a code, in the protocol's error format. The amounts are in `details`. */
export const refuse = (
  status: number,
  code?: string,
  message = `Refused for the test.`,
  details?: Readonly<Record<string, unknown>>
): Fault => respond(status, JSON.stringify({ code, message, details }))

/** A 429 response, with or without `Retry-After` (in seconds). */
export const rateLimited = (retryAfter?: number): Fault =>
  respond(
    429,
    JSON.stringify({ code: "RATE_LIMITED", message: "Too many requests." }),
    retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }
  )

/** A 5xx response. With `after: true`, the request takes effect first. */
export const unavailable = ({ status = 503, after = false } = {}): Fault =>
  respond(status, JSON.stringify({ code: "UNAVAILABLE", message: "Not now." }), {}, after)

/** Options for `reply`. */
interface ReplyOptions {
  readonly status?: number
  readonly headers?: HttpResponse["headers"]
  readonly after?: boolean
}

/**
 * Sends this response instead of handling the request. The body is sent as JSON. With `after: true`, the request takes
 * effect first.
 */
export const reply = (body: unknown, { after = false, headers = {}, status = 200 }: ReplyOptions = {}): Fault =>
  respond(status, JSON.stringify(body), headers, after)

/** Responds with something that does not follow the protocol. */
export const garbage = (body = "<html>It works!</html>", { status = 200, after = false } = {}): Fault =>
  respond(status, body, {}, after)

/** Modifies the normal response. */
export const alter = (change: (answer: Record<string, unknown>) => unknown): Fault => ({ type: "alter", alter: change })

/** Replaces fields in the built operation, and optionally its hash. */
export const swapOperation = (fields: Readonly<Record<string, unknown>>, geoOpHash?: string): Fault =>
  alter((answer) => ({
    ...answer,
    ...(geoOpHash !== undefined && { geoOpHash }),
    geoOp: { ...(answer["geoOp"] as object), ...fields }
  }))
