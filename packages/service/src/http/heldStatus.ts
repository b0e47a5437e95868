/**
 * Status requests that wait for a swap. A fiber with its closures takes 16 KiB for each of them, so a waiting request is
 * an object instead, and only the response needs a fiber again.
 */
import type { Swap } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { Holds } from "../accounts/RateLimits.js"
import { isFinished, type Statuses } from "../calls/status.js"
import type { Waiter } from "../concurrency/holdQueue.js"
import type { Refusal } from "../domain/Refusal.js"
import { type Held, held as heldResponse, type Holdable } from "./holdable.js"
import type { Call } from "./requestHandler.js"
import { respondJson } from "./respond.js"

/** What all held requests of a route share. */
export interface Shared {
  readonly statuses: Statuses
  readonly holds: Holds
  /** Encodes the response body. An invalid swap is a defect. */
  readonly encode: (swap: Swap.Swap) => Effect.Effect<string>
}

class HeldStatus implements Held, Waiter {
  readonly shared: Shared
  readonly call: Call
  readonly request: Holdable
  readonly account: string
  readonly client: string
  readonly swapId: string
  /** `reading` before the request is held; `woken` if it must not be held; `answered` once a fiber answers it. */
  state: "reading" | "woken" | "held" | "answered" = "reading"

  constructor(shared: Shared, call: Call, request: Holdable, account: string, client: string, swapId: string) {
    this.shared = shared
    this.call = call
    this.request = request
    this.account = account
    this.client = client
    this.swapId = swapId
  }

  read(): Effect.Effect<Swap.Swap, Refusal> {
    return this.shared.statuses.read(this.account, this.swapId)
  }
  respond(swap: Swap.Swap): Effect.Effect<HttpServerResponse> {
    return Effect.map(this.shared.encode(swap), (body) => respondJson(this.call, body))
  }
  release(): void {
    this.shared.statuses.release(this.swapId, this)
    this.shared.holds.leave(this.client)
  }

  /** Ends the fiber and keeps the request open, unless its swap may have finished in the meantime. */
  hold(): Effect.Effect<HttpServerResponse, Refusal> {
    if (this.state === "woken" || !this.request.hold(this)) {
      return Effect.flatMap(this.read(), (swap) => this.respond(swap))
    }
    this.state = "held"
    return Effect.succeed(heldResponse)
  }
  /** Completes a held request on a new fiber, exactly once. */
  complete(program: Effect.Effect<HttpServerResponse, Refusal>): Effect.Effect<HttpServerResponse> {
    this.state = "answered"
    return Effect.ensuring(
      this.call.complete(this.call, program),
      Effect.sync(() => this.release())
    )
  }
  wake(): void {
    if (this.state === "reading") this.state = "woken"
    if (this.state !== "held") return
    this.request.answer(this.complete(Effect.flatMap(this.read(), (swap) => this.respond(swap))))
  }
  abandon(): Effect.Effect<HttpServerResponse> {
    return this.complete(Effect.never)
  }
}

/** Returns the swap's status at once if it has finished. Otherwise, keeps the request open. */
export const holdStatus = (
  shared: Shared,
  call: Call,
  request: Holdable,
  { account, client, swapId }: { readonly account: string; readonly client: string; readonly swapId: string }
): Effect.Effect<HttpServerResponse, Refusal> =>
  Effect.suspend(() => {
    const refusal = shared.holds.enter(client)
    if (refusal !== undefined) return Effect.fail(refusal)
    const held = new HeldStatus(shared, call, request, account, client, swapId)
    const waitIfPending = Effect.flatMap(held.read(), (first) => {
      if (isFinished(first)) return held.respond(first)
      shared.statuses.hold(swapId, held)
      // The swap may have finished between the first read and the subscription.
      return Effect.flatMap(held.read(), (second) => (isFinished(second) ? held.respond(second) : held.hold()))
    })
    return Effect.onExit(waitIfPending, () =>
      held.state === "reading" || held.state === "woken" ? Effect.sync(() => held.release()) : Effect.void
    )
  })
