/** What answers the requests to a path. */
import type * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type * as Scope from "effect/Scope"
import type { Refusal } from "../Refusal.js"
import type { StoreUnavailable } from "../store/Store.js"
import type { HeaderFields } from "./respond.js"
import type { PathMatch } from "./matchPath.js"

/** What is known about a request while it is answered. */
export interface Call {
  readonly request: HttpServerRequest
  readonly requestId: string
  readonly startedAt: bigint
  /** The path with names in place of what callers put there. */
  route: string
  account: string | undefined
  /** Those of every answer to it. */
  headers: HeaderFields
  /** Its line in the log is for debugging only: the sender has many of them. */
  quiet?: boolean
}

/** Answers a request; what it refuses is answered in the form of the protocol. */
export type Route = (
  call: Call,
  found: PathMatch<unknown>
) => Effect.Effect<HttpServerResponse, Refusal | StoreUnavailable, Scope.Scope>
