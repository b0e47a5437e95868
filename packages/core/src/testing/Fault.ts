/** Ways for the scripted service to misbehave at a call. */
import type { HttpResponse } from "../Transport.js"

/** What happens instead of, before or after the proper handling of a request. */
export type Fault =
  | { readonly type: "pass" }
  /** Answers so; `after` the request took effect, or instead. */
  | { readonly type: "respond"; readonly answer: HttpResponse; readonly after: boolean }
  /** Never answers. */
  | { readonly type: "hang"; readonly after: boolean }
  /** Breaks the connection. */
  | { readonly type: "disconnect"; readonly after: boolean }
  /** Takes its time. */
  | { readonly type: "delay"; readonly millis: number }
  /** Changes the proper answer. */
  | { readonly type: "alter"; readonly alter: (answer: Record<string, unknown>) => unknown }
  /** The wallet's nonce moves just before the request is handled. */
  | { readonly type: "move-nonce" }
  /** Time has run out for what the request is about. */
  | { readonly type: "expire" }

const respond = (status: number, body: string, headers: HttpResponse["headers"] = {}, after = false): Fault => ({
  type: "respond",
  answer: { status, body, headers },
  after
})

/** Handles the request properly; useful between others in a list. */
export const pass: Fault = { type: "pass" }

/** The quote or the operation has expired. */
export const expire: Fault = { type: "expire" }

/** The wallet's nonce moves just before the request is handled. */
export const moveNonce: Fault = { type: "move-nonce" }

/** Never answers; `after: true` once the request took effect. */
export const hang = ({ after = false } = {}): Fault => ({ type: "hang", after })

/** Breaks the connection; `after: true` once the request took effect. */
export const disconnect = ({ after = false } = {}): Fault => ({ type: "disconnect", after })

/** Takes its time, then handles the request properly. */
export const delay = (millis: number): Fault => ({ type: "delay", millis })

/** Refuses with a status and a code, in the service's own shape. */
export const refuse = (status: number, code?: string, message = `Refused for the test.`): Fault =>
  respond(status, JSON.stringify(code === undefined ? { message } : { code, message }))

/** 429, with or without `Retry-After` in seconds. */
export const rateLimited = (retryAfter?: number): Fault =>
  respond(
    429,
    JSON.stringify({ code: "RATE_LIMITED", message: "Too many requests." }),
    retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }
  )

/** A 5xx; `after: true` once the request took effect. */
export const unavailable = ({ status = 503, after = false } = {}): Fault =>
  respond(status, JSON.stringify({ code: "UNAVAILABLE", message: "Not now." }), {}, after)

/** Answers with something that is not the protocol. */
export const garbage = (body = "<html>It works!</html>", { status = 200, after = false } = {}): Fault =>
  respond(status, body, {}, after)

/** Changes the proper answer. */
export const alter = (change: (answer: Record<string, unknown>) => unknown): Fault => ({ type: "alter", alter: change })

/** Swaps the operation that was built for another: its fields are changed, its hash is left or replaced. */
export const swapOperation = (fields: Readonly<Record<string, unknown>>, geoOpHash?: string): Fault =>
  alter((answer) => ({
    ...answer,
    ...(geoOpHash !== undefined && { geoOpHash }),
    geoOp: { ...(answer["geoOp"] as object), ...fields }
  }))
