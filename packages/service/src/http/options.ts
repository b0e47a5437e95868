/** Options for the HTTP application. The dependencies are plain functions, so any of them can be replaced. */
import type * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { Accounts } from "../accounts/Accounts.js"
import type { RateLimits } from "../accounts/RateLimits.js"
import type { Service } from "../calls/Service.js"
import type { Refusal } from "../domain/Refusal.js"
import type { Path } from "./messages/matchPath.js"
import type { Route } from "./requestHandler.js"

export interface Options {
  readonly service: Service
  readonly authenticate: Accounts["authenticate"]
  /**
   * Called after a failed authentication. Counts the failure, and refuses a sender with too many failures. If this
   * function is omitted, failures are not limited.
   */
  readonly failedAuth?: ((request: HttpServerRequest) => Effect.Effect<void, Refusal>) | undefined
  readonly takeLimit: RateLimits["take"]
  readonly holdStatus: RateLimits["hold"]
  readonly holds: RateLimits["holds"]
  /** For finished swaps, whose status needs no fiber. If one of these is omitted, every request has a fiber. */
  readonly recall?: Accounts["recall"] | undefined
  readonly takeNow?: RateLimits["takeNow"] | undefined
  /** The reasons why the service is not ready, one sentence each. Empty if the service is ready. */
  readonly ready: Effect.Effect<ReadonlyArray<string>>
  /** The degraded parts of a service that is ready, such as a chain below its quorum, one sentence each. */
  readonly degraded?: Effect.Effect<ReadonlyArray<string>> | undefined
  /** The origins of pages that may call the service. */
  readonly origins: ReadonlyArray<string>
  /** The service's version, shown in the reference. */
  readonly version: string
  /** Additional paths. The service's own paths take precedence. */
  readonly paths?: ReadonlyArray<Path<Route>> | undefined
}
