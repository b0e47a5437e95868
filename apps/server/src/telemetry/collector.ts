/** The HTTP client for the collector. If the collector fails, the client drops batches and logs one warning. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type { Signal, Target } from "./settings.js"

/** A batch was not delivered. */
class SendFailed extends Schema.TaggedError<SendFailed>()("SendFailed", {
  message: Schema.String,
  /** Whether a retry may succeed. */
  transient: Schema.Boolean
}) {}

/** Maximum number of batches in flight. Further batches are dropped. */
const maxWaiting = 4
/** A failed batch is retried at most twice, after 500 and 1,500 ms. */
const retryDelay = Schedule.exponential(500, 3).pipe(Schedule.upTo({ times: 2 }))
/** Minimum time between two warnings. */
const reportIntervalMillis = 60_000

const isTransient = (status: number) => status === 408 || status === 429 || status >= 500

/** Logs once when the collector starts failing, and once when it recovers. */
const makeReporter = (signal: Signal, { url }: Target) => {
  // Only the origin is logged, because the path may contain a key.
  const place = new URL(url).origin
  let failing = false
  let reported = false
  let reportedAt = Number.NEGATIVE_INFINITY
  const failed = (why: string) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (failing) return
      failing = true
      if (now - reportedAt < reportIntervalMillis) return
      reported = true
      reportedAt = now
      yield* Effect.logWarning(`${signal} cannot be sent to the collector at ${place} and are being dropped: ${why}`)
    })
  const succeeded = Effect.suspend(() => {
    const wasReported = failing && reported
    failing = false
    reported = false
    return wasReported ? Effect.logWarning(`${signal} are being sent to the collector at ${place} again`) : Effect.void
  })
  return { succeeded, failed, isFailing: () => failing }
}

const make = (signal: Signal, target: Target) =>
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    const reporter = makeReporter(signal, target)
    const headers = Object.fromEntries(
      Object.entries(target.headers).map(([name, value]) => [name, Redacted.value(value)])
    )

    /** Sends a batch once. Reads the entire response so that the connection can be reused. */
    const sendOnce = (request: HttpClientRequest.HttpClientRequest) =>
      client.execute(HttpClientRequest.setHeaders(request, headers)).pipe(
        Effect.flatMap((response) => Effect.as(response.arrayBuffer, response.status)),
        Effect.mapError(() => new SendFailed({ message: "it cannot be reached", transient: true })),
        Effect.timeoutOrElse({
          duration: target.timeoutMillis,
          orElse: () =>
            Effect.fail(
              new SendFailed({ message: `it did not respond within ${target.timeoutMillis} ms`, transient: false })
            )
        }),
        Effect.flatMap((status) =>
          status >= 200 && status < 300
            ? Effect.void
            : Effect.fail(new SendFailed({ message: `it returned HTTP ${status}`, transient: isTransient(status) }))
        )
      )

    /**
     * Sends a batch and retries if necessary. While the collector is known to be failing, each batch is sent only once.
     */
    const send = (request: HttpClientRequest.HttpClientRequest) =>
      Effect.retry(sendOnce(request), {
        schedule: retryDelay,
        while: ({ transient }) => transient && !reporter.isFailing()
      })

    let waiting = 0
    /**
     * Delivers a batch and never fails. If this effect failed, the exporter would keep its batches and pause for a
     * minute.
     */
    const deliver = (request: HttpClientRequest.HttpClientRequest) =>
      Effect.suspend(() => {
        if (waiting >= maxWaiting) return reporter.failed("it cannot keep up")
        waiting += 1
        return send(request).pipe(
          Effect.matchEffect({
            onSuccess: () => reporter.succeeded,
            onFailure: ({ message }) => reporter.failed(message)
          }),
          Effect.ensuring(Effect.sync(() => void (waiting -= 1)))
        )
      })

    return HttpClient.make((request) =>
      Effect.as(deliver(request), HttpClientResponse.fromWeb(request, new Response(null, { status: 200 })))
    )
  })

/** The client that sends one signal (traces or logs). */
export const layer = (signal: Signal, target: Target) =>
  Layer.effect(HttpClient.HttpClient, make(signal, target)).pipe(
    Layer.provide(FetchHttpClient.layer),
    // The headers must not be sent to the target of a redirect.
    Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
  )
