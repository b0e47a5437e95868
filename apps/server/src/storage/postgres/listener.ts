/** A LISTEN connection that reconnects when it is lost. */
import { Socket } from "node:net"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import { Client } from "pg"
import { PostgresError, settings } from "../Postgres.js"

/** Messages on this channel are lists of swap ids. */
const channel = "geoswap_ended"

/** The error message for a database whose notifications do not arrive. */
export const notificationsLost =
  "The PostgreSQL server at DATABASE_URL accepts LISTEN but does not deliver notifications. This is typical of a pooler in transaction mode. Connect to the server directly, or to a pooler in session mode."

interface Handlers {
  readonly onMessage: (payload: string) => Effect.Effect<void>
  /** Runs after a reconnect, because messages may have been missed. */
  readonly onReconnect: Effect.Effect<void>
}

const firstReconnectMillis = 250
/** The delay before each reconnection attempt, doubled each time up to 5 s. */
const reconnectDelay = Schedule.min([Schedule.exponential(firstReconnectMillis), Schedule.spaced(5_000)])

/** The interval between heartbeats, which detect connections that died silently. */
const heartbeatMillis = 10_000

/** How long closing a connection may take if the database does not respond. */
const closeTimeoutMillis = 1_000

const connect = (url: Redacted.Redacted, onMessage: (payload: string) => void, onLost: () => void) => {
  const socket = new Socket()
  const end = async (client: Client) => {
    const timer = setTimeout(() => socket.destroy(), closeTimeoutMillis)
    await client.end().catch(() => undefined)
    clearTimeout(timer)
  }
  return Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        const client = new Client({
          ...settings(url),
          application_name: "geoswap-server listener",
          stream: () => socket
        })
        client.on("error", onLost).on("end", onLost)
        client.on("notification", ({ payload }) => onMessage(payload ?? ""))
        try {
          await client.connect()
          await client.query(`LISTEN ${channel}`)
          return client
        } catch (cause) {
          await end(client)
          throw cause
        }
      },
      catch: () => new PostgresError({ message: "LISTEN failed on the PostgreSQL server at DATABASE_URL." })
    }),
    (client) => Effect.promise(() => end(client))
  )
}

/** How long the test notification may take to arrive. */
const testMillis = 5_000

/** Sends a notification on the channel. */
export const notify = (sql: SqlClient.SqlClient, payload: string) => sql`SELECT pg_notify(${channel}, ${payload})`

/**
 * Listens until the scope closes. Returns an effect that sends a test notification and returns whether it arrives,
 * because a pooler in transaction mode accepts LISTEN but delivers no notifications.
 */
export const listen = Effect.fnUntraced(function* (url: Redacted.Redacted, { onReconnect, onMessage }: Handlers) {
  const messages = yield* Queue.unbounded<string>()
  const sql = yield* SqlClient.SqlClient
  const test = `test ${crypto.randomUUID()}`
  const arrived = yield* Deferred.make<void>()
  const first = yield* Deferred.make<void, PostgresError>()

  const connection = Effect.gen(function* () {
    const lost = yield* Deferred.make<void>()
    const client = yield* connect(
      url,
      (payload) => Queue.offerUnsafe(messages, payload),
      () => Deferred.doneUnsafe(lost, Effect.void)
    )
    return { client, lost }
  }).pipe(
    Effect.tapError((error) => Deferred.fail(first, error)),
    Effect.retry(reconnectDelay)
  )
  const session = Effect.scoped(
    Effect.gen(function* () {
      const { client, lost } = yield* connection
      if (!(yield* Deferred.succeed(first, undefined))) yield* onReconnect
      const heartbeat = Effect.andThen(
        Effect.sleep(heartbeatMillis),
        Effect.tryPromise(() => client.query("SELECT 1"))
      )
      yield* Effect.raceFirst(Deferred.await(lost), Effect.ignore(Effect.forever(heartbeat)))
      yield* Effect.logDebug("the listener lost its connection and is reconnecting")
    })
  )
  const dispatch = Effect.flatMap(Queue.take(messages), (payload) => {
    if (payload === test) return Effect.asVoid(Deferred.succeed(arrived, undefined))
    return payload.startsWith("test ") ? Effect.void : onMessage(payload)
  })
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(session, Effect.sleep(firstReconnectMillis))))
  yield* Effect.forkScoped(Effect.forever(dispatch))
  yield* Deferred.await(first)
  return Effect.andThen(notify(sql, test), Deferred.await(arrived)).pipe(
    Effect.timeoutOption(testMillis),
    Effect.map(Option.isSome)
  )
})
