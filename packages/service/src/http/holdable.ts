/** Requests that a server keeps open without a fiber. */
import type * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** A request that is kept open. */
export interface Held {
  /**
   * Returns a program that waits until it is interrupted, and then completes the request. The server runs and interrupts
   * it if the client disconnects, or if the server stops before the request has been answered.
   */
  readonly abandon: () => Effect.Effect<HttpServerResponse.HttpServerResponse>
}

/** What a server offers for requests that wait. A server that does not offer it keeps a fiber for each request. */
export interface Holdable {
  /** Keeps the request open after its fiber has ended. Returns `false` if the client has disconnected. */
  readonly hold: (held: Held) => boolean
  /** Runs a program on a new fiber, and sends its response. */
  readonly answer: (program: Effect.Effect<HttpServerResponse.HttpServerResponse>) => void
}

/** The response of a fiber whose request is kept open. The server sends nothing. */
export const held: HttpServerResponse.HttpServerResponse = HttpServerResponse.empty()

/** Whether the server can keep the request open without a fiber. */
export const isHoldable = (request: HttpServerRequest): request is HttpServerRequest & Holdable =>
  "hold" in request && "answer" in request
