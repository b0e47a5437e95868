/**
 * `GET /swap/status/{swapId}`: responds at once if the swap has finished, and otherwise keeps the request open. A fiber with
 * its closures takes 16 KiB for each waiting request, so such a request is an object instead, and only the response needs
 * a fiber again.
 */
import { Id, type Swap } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as Tracer from "effect/Tracer"
import type { Holds } from "../../accounts/RateLimits.js"
import { isFinished, type Statuses } from "../../calls/status.js"
import type { Waiter } from "../../concurrency/holdQueue.js"
import { type Refusal, refuse } from "../../domain/Refusal.js"
import { respondJson } from "../messages/respond.js"
import type { Call } from "../requestHandler.js"
import { type Holdable, held as heldResponse, isHoldable, type Keeper, keepByFiber, type Waiting } from "./holdable.js"

/** What all status requests of a route share. */
export interface Shared {
  readonly statuses: Statuses
  readonly holds: Holds
  /** Encodes the response body. An invalid swap is a defect. */
  readonly encode: (swap: Swap.Swap) => Effect.Effect<string>
}

/** A status request: who asks, and for which swap. */
export interface StatusRequest {
  readonly account: string
  /** The name under which requests that wait are limited. */
  readonly client: string
  readonly swapId: string
}

class HeldStatus implements Waiter, Waiting {
  readonly shared: Shared
  readonly call: Call
  readonly keeper: Keeper
  readonly request: StatusRequest
  /** `reading` before the request is held; `woken` if it must not be held. */
  state: "reading" | "woken" | "held" | "answered" | "released" = "reading"

  constructor(shared: Shared, call: Call, keeper: Keeper, request: StatusRequest) {
    this.shared = shared
    this.call = call
    this.keeper = keeper
    this.request = request
  }

  read(): Effect.Effect<Swap.Swap, Refusal> {
    return this.shared.statuses.read(this.request.account, this.request.swapId)
  }
  respond(swap: Swap.Swap): Effect.Effect<HttpServerResponse> {
    return Effect.map(this.shared.encode(swap), (body) => respondJson(this.call, body))
  }
  /** Reads the swap and responds with its state, even if it has not finished. */
  respondNow(): Effect.Effect<HttpServerResponse, Refusal> {
    return Effect.flatMap(this.read(), (swap) => this.respond(swap))
  }
  release(): void {
    if (this.state === "released") return
    this.state = "released"
    this.shared.statuses.release(this.request.swapId, this)
    this.shared.holds.leave(this.request.client)
  }

  /** Responds at once if the swap has finished. Otherwise, waits for it. */
  start(): Effect.Effect<HttpServerResponse, Refusal> {
    return Effect.flatMap(this.read(), (first) => {
      if (isFinished(first)) return this.respond(first)
      this.shared.statuses.hold(this.request.swapId, this)
      // The swap may have finished between the first read and the subscription.
      return Effect.flatMap(this.read(), (second) => (isFinished(second) ? this.respond(second) : this.hold()))
    })
  }
  /** Ends the fiber and keeps the request open, unless its swap may have finished in the meantime. */
  hold(): Effect.Effect<HttpServerResponse, Refusal> {
    if (this.state === "woken" || !this.keeper.keep(this)) return this.respondNow()
    this.state = "held"
    return Effect.succeed(heldResponse)
  }
  /** Answers a held request, exactly once. */
  wake(): void {
    if (this.state === "reading") this.state = "woken"
    if (this.state !== "held") return
    this.state = "answered"
    this.keeper.answer(
      Effect.ensuring(
        this.respondNow(),
        Effect.sync(() => this.release())
      )
    )
  }
}

/** Keeps a request open without a fiber. */
const keepByServer = (call: Call, request: Holdable): Keeper => ({
  keep: (waiting) =>
    request.hold({
      abandon: () =>
        call.complete(
          call,
          Effect.ensuring(
            Effect.never,
            Effect.sync(() => waiting.release())
          )
        )
    }),
  answer: (program) => request.answer(call.complete(call, program))
})

/** Responds to a status request. A traced request keeps its fiber, because its span must last until it is answered. */
export const respondStatus = (
  shared: Shared,
  call: Call,
  request: StatusRequest
): Effect.Effect<HttpServerResponse, Refusal> => {
  if (!Id.isSwapId(request.swapId)) {
    return Effect.fail(
      refuse("SWAP_NOT_FOUND", "There is no swap with that id. Use the id that submit returned, unchanged.")
    )
  }
  const start = (keeper: Keeper) =>
    Effect.suspend(() => {
      const refusal = shared.holds.enter(request.client)
      if (refusal !== undefined) return Effect.fail(refusal)
      const status = new HeldStatus(shared, call, keeper, request)
      return Effect.onExit(status.start(), () =>
        status.state === "reading" || status.state === "woken" ? Effect.sync(() => status.release()) : Effect.void
      )
    })
  return Effect.withFiber((fiber) =>
    isHoldable(call.request) && fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer
      ? start(keepByServer(call, call.request))
      : keepByFiber(start)
  )
}
