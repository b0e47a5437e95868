/** `SwapSignals` across servers: the ends of swaps go out by NOTIFY and come in by LISTEN. */
import { SwapSignals, Store } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import * as Listener from "./postgres/listener.js"
import { PostgresError } from "./Postgres.js"

export interface Options {
  readonly url: Redacted.Redacted
  /** How often to look for ends that nobody told us of; 5 s where absent. */
  readonly pollMillis?: number | undefined
}

/** PostgreSQL takes 8,000 bytes at once. An id has 36 and a comma. */
const idsAtOnce = 200

/** How long the test at the start may take. */
const testMillis = 5_000

const notificationsLost = () =>
  new PostgresError({
    message:
      "The PostgreSQL of DATABASE_URL takes LISTEN and does not deliver: a pooler in transaction mode does that. Name the server itself, or a pooler in session mode."
  })

const make = Effect.fnUntraced(function* ({
  pollMillis = 5_000,
  url
}: Options): Effect.fn.Return<SwapSignals.Shape, PostgresError, Scope.Scope | SqlClient.SqlClient | Store.Store> {
  const sql = yield* SqlClient.SqlClient
  const store = yield* Store.Store
  const local = yield* SwapSignals.make
  const ended = yield* Queue.unbounded<string>()
  const notify = (payload: string) => sql`SELECT pg_notify(${Listener.channel}, ${payload})`

  /** Whoever waits for a swap that has ended in the meantime, and was not told. */
  const poll = Effect.gen(function* () {
    const waited = yield* local.awaited
    if (waited.length === 0) return
    yield* Effect.forEach(yield* store.ended(waited), local.publish, { discard: true })
  }).pipe(Effect.catch((error) => Effect.logWarning(`who waits for a swap may wait longer: ${error.message}`)))

  const expectMessage = yield* Listener.listen(url, {
    onMessage: (payload) => Effect.forEach(payload.split(","), local.publish, { discard: true }),
    onReconnect: poll
  })

  // What is lost here is found by the other servers' looks.
  const send = Effect.gen(function* () {
    const ids = yield* Queue.takeBetween(ended, 1, idsAtOnce)
    yield* notify(ids.join(","))
  }).pipe(Effect.catch(() => Effect.logDebug("other servers were not told of an end")))

  const test = `test ${crypto.randomUUID()}`
  const arrived = yield* expectMessage(test)
  yield* Effect.mapError(notify(test), notificationsLost)
  yield* Effect.timeoutOrElse(arrived, { duration: testMillis, orElse: () => Effect.fail(notificationsLost()) })

  yield* Effect.forkScoped(Effect.forever(send))
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(pollMillis), poll)))
  return {
    ...local,
    publish: (swapId) => Effect.andThen(local.publish(swapId), Effect.asVoid(Queue.offer(ended, swapId)))
  }
})

/** Wakes who waits for a swap, whichever server ended it. */
export const layer = (
  options: Options
): Layer.Layer<SwapSignals.SwapSignals, PostgresError, SqlClient.SqlClient | Store.Store> =>
  Layer.effect(SwapSignals.SwapSignals, make(options))
