/** The way to the collector: whatever it does, the server goes on, holds little for it, and says so once. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Signal, Target } from "./settings.js"

/** A batch did not arrive. */
class NotSent extends Schema.TaggedError<NotSent>()("NotSent", {
  message: Schema.String,
  /** The same batch may arrive a moment later. */
  passing: Schema.Boolean
}) {}

/** So many batches wait for the collector at most; the next one is dropped. */
const maxWaiting = 4
/** The pauses before a batch is sent again. */
const pausesMillis = [500, 1_500] as const
/** A collector that comes and goes is not worth more words than this. */
const quietMillis = 60_000

const isPassing = (status: number): boolean => status === 408 || status === 429 || status >= 500

/** Tells once that it fails, and once that it does not any more. */
const makeVoice = (signal: Signal, { url }: Target) => {
  // Without its path, which may be a key.
  const place = new URL(url).origin
  let failing = false
  let told = false
  let toldAt = Number.NEGATIVE_INFINITY
  const worse = (why: string) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (failing) return
      failing = true
      if (now - toldAt < quietMillis) return
      told = true
      toldAt = now
      yield* Effect.logWarning(
        `${signal} do not get to the collector at ${place}: ${why}; they are dropped while that lasts`
      )
    })
  const better = Effect.suspend(() => {
    const words = failing && told
    failing = false
    told = false
    return words ? Effect.logWarning(`${signal} get to the collector at ${place} again`) : Effect.void
  })
  return { better, worse, isFailing: () => failing }
}

const make = (signal: Signal, target: Target) =>
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    const voice = makeVoice(signal, target)
    const headers = Object.fromEntries(
      Object.entries(target.headers).map(([name, value]) => [name, Redacted.value(value)])
    )

    /** Sends a batch once, and reads the answer to its end: otherwise the connection is of no use any more. */
    const sendOnce = (request: HttpClientRequest.HttpClientRequest) =>
      client.execute(HttpClientRequest.setHeaders(request, headers)).pipe(
        Effect.flatMap((response) => Effect.as(response.arrayBuffer, response.status)),
        Effect.mapError(() => new NotSent({ message: "it cannot be reached", passing: true })),
        Effect.timeoutOrElse({
          duration: target.timeoutMillis,
          orElse: () =>
            Effect.fail(
              new NotSent({ message: `it does not answer within ${target.timeoutMillis} ms`, passing: false })
            )
        }),
        Effect.flatMap((status) =>
          status >= 200 && status < 300
            ? Effect.void
            : Effect.fail(new NotSent({ message: `it answers with HTTP ${status}`, passing: isPassing(status) }))
        )
      )

    const send = (request: HttpClientRequest.HttpClientRequest, [pause, ...pauses]: ReadonlyArray<number>) =>
      Effect.catch(sendOnce(request), (error): Effect.Effect<void, NotSent> =>
        pause === undefined || !error.passing || voice.isFailing()
          ? Effect.fail(error)
          : Effect.delay(
              Effect.suspend(() => send(request, pauses)),
              pause
            )
      )

    let waiting = 0
    /** Never fails: the exporter would hold what it has, and stop for a minute. */
    const deliver = (request: HttpClientRequest.HttpClientRequest): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (waiting >= maxWaiting) return voice.worse("it does not keep up")
        waiting += 1
        return send(request, pausesMillis).pipe(
          Effect.matchEffect({ onSuccess: () => voice.better, onFailure: ({ message }) => voice.worse(message) }),
          Effect.ensuring(Effect.sync(() => void (waiting -= 1)))
        )
      })

    return HttpClient.make((request) =>
      Effect.as(deliver(request), HttpClientResponse.fromWeb(request, new Response(null, { status: 200 })))
    )
  })

/** A client that sends what is for one signal. */
export const layer = (signal: Signal, target: Target): Layer.Layer<HttpClient.HttpClient> =>
  Layer.effect(HttpClient.HttpClient, make(signal, target)).pipe(
    Layer.provide(FetchHttpClient.layer),
    // Elsewhere, the headers are nobody's business.
    Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
  )
