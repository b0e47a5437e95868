/** `SwapSignals` across servers: finished swaps are published with NOTIFY and received with LISTEN. */
import { SwapSignals, Store } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import type * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import * as Listener from "./postgres/listener.js"
import { PostgresError } from "./Postgres.js"

export interface Options {
  readonly url: Redacted.Redacted
  /** The interval between polls for swaps that finished without a notification (default: 5 s). */
  readonly pollMillis?: number | undefined
}

/**
 * The maximum number of ids per notification. A notification is limited to 8,000 bytes, and each id takes 36 bytes plus
 * a comma.
 */
const maxIds = 200

const make = Effect.fnUntraced(function* ({ pollMillis = 5_000, url }: Options) {
  const sql = yield* SqlClient.SqlClient
  const store = yield* Store.Store
  const local = yield* SwapSignals.make
  const ended = yield* Queue.unbounded<string>()

  /** Wakes callers whose swap finished without a notification. */
  const poll = Effect.gen(function* () {
    const waited = yield* local.awaited
    if (waited.length === 0) return
    yield* Effect.forEach(yield* store.ended(waited), local.publish, { discard: true })
  }).pipe(
    Effect.catch((error) => Effect.logWarning(`callers waiting for a swap may have to wait longer: ${error.message}`))
  )

  const delivers = yield* Listener.listen(url, {
    onMessage: (payload) => Effect.forEach(payload.split(","), local.publish, { discard: true }),
    onReconnect: poll
  })

  // If a notification is lost, the other servers find the finished swaps when they poll.
  const send = Effect.gen(function* () {
    const ids = yield* Queue.takeBetween(ended, 1, maxIds)
    yield* Listener.notify(sql, ids.join(","))
  }).pipe(Effect.catch(() => Effect.logDebug("a notification to other servers was lost")))

  const works = yield* Effect.orElseSucceed(delivers, () => false)
  if (!works) return yield* new PostgresError({ message: Listener.notificationsLost })

  yield* Effect.forkScoped(Effect.forever(send))
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(pollMillis), poll)))
  return {
    ...local,
    publish: (swapId: string) => Effect.andThen(local.publish(swapId), Effect.asVoid(Queue.offer(ended, swapId)))
  }
})

/** Wakes the callers waiting for a swap, even if another server finished the swap. */
export const layer = (options: Options) => Layer.effect(SwapSignals.SwapSignals, make(options))
