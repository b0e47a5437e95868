/** What the HTTP side is made of: plain functions, so that any part can be another one. */
import type * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { Shape as Accounts } from "../accounts/Accounts.js"
import type { Shape as RateLimits } from "../accounts/RateLimits.js"
import type { Refusal } from "../Refusal.js"
import type { Shape as Service } from "../calls/Service.js"
import type { Route } from "./requestHandler.js"
import type { Path } from "./matchPath.js"

export interface Options {
  readonly service: Service
  readonly authenticate: Accounts["authenticate"]
  /** Called after a failed authentication: counts it, or refuses the sender that has too many. Unlimited if omitted. */
  readonly failedAuth?: ((request: HttpServerRequest) => Effect.Effect<void, Refusal>) | undefined
  readonly takeLimit: RateLimits["take"]
  readonly holdStatus: RateLimits["hold"]
  /** What keeps the service from serving, in sentences; none when it is ready. */
  readonly ready: Effect.Effect<ReadonlyArray<string>>
  /** What works only in part, in sentences, such as a chain below its quorum; the service is still ready. */
  readonly degraded?: Effect.Effect<ReadonlyArray<string>> | undefined
  /** Pages of these origins may call; none where empty. */
  readonly origins: ReadonlyArray<string>
  /** Of the service, for the reference. */
  readonly version: string
  /** More than the service has; where both have a path, it is the service's. */
  readonly paths?: ReadonlyArray<Path<Route>> | undefined
}
