/** Requests that wait for their response. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Refusal } from "../../domain/Refusal.js"

/** A request that a server keeps open. */
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

/** Whether the server can keep the request open without a fiber. */
export const isHoldable = (request: HttpServerRequest): request is HttpServerRequest & Holdable =>
  "hold" in request && "answer" in request

/** The response of a fiber whose request is kept open. The server sends nothing. */
export const held: HttpServerResponse.HttpServerResponse = HttpServerResponse.empty()

/** Who waits for the response of one request. */
export interface Waiting {
  /** Runs when the request has been answered, or will not be. */
  readonly release: () => void
}

/** Keeps one request open until it is answered. */
export interface Keeper {
  /** Returns `false` if the client has disconnected. Otherwise, the fiber of the request responds with `held`. */
  readonly keep: (waiting: Waiting) => boolean
  readonly answer: (program: Effect.Effect<HttpServerResponse.HttpServerResponse, Refusal>) => void
}

/** Runs a handler whose request is kept open by its fiber, for servers that do not offer `Holdable`. */
export const keepByFiber = (
  handle: (keeper: Keeper) => Effect.Effect<HttpServerResponse.HttpServerResponse, Refusal>
): Effect.Effect<HttpServerResponse.HttpServerResponse, Refusal> =>
  Effect.suspend(() => {
    const answer = Deferred.makeUnsafe<HttpServerResponse.HttpServerResponse, Refusal>()
    let waiting: Waiting | undefined
    const keeper: Keeper = {
      keep: (one) => {
        waiting = one
        return true
      },
      answer: (program) => void Deferred.doneUnsafe(answer, program)
    }
    return Effect.flatMap(handle(keeper), (response) =>
      response === held
        ? Effect.ensuring(
            Deferred.await(answer),
            Effect.sync(() => waiting?.release())
          )
        : Effect.succeed(response)
    )
  })
