/** The types of request handlers and of the state of a request. */
import type * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type * as Scope from "effect/Scope"
import type { Refusal } from "../domain/Refusal.js"
import type { StoreUnavailable } from "../store/StoreError.js"
import type { PathMatch } from "./messages/matchPath.js"
import type { HeaderFields } from "./messages/respond.js"

/** The state of a request while it is being handled. */
export interface Call {
  readonly request: HttpServerRequest
  readonly requestId: string
  readonly startedAt: bigint
  /** The path with parameter names instead of values. */
  route: string
  account: string | undefined
  /** The headers for every response to the request. */
  headers: HeaderFields
  /**
   * Whether to log the request only at debug level, because its sender has sent too many requests without a valid key.
   */
  quiet?: boolean
  /** Turns failures into responses, and counts and logs the request. The same function for all requests. */
  readonly complete: <R>(
    call: Call,
    handled: Effect.Effect<HttpServerResponse, Refusal | StoreUnavailable, R>
  ) => Effect.Effect<HttpServerResponse, never, R>
}

/** Handles a request. Refusals become error responses. */
export type Route = (
  call: Call,
  found: PathMatch<unknown>
) => Effect.Effect<HttpServerResponse, Refusal | StoreUnavailable, Scope.Scope>
