/** A connection that listens, and comes back when it is lost. */
import { Socket } from "node:net"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { Client } from "pg"
import { PostgresError, settings } from "../Postgres.js"

/** What is said there is a list of ids. */
export const channel = "geoswap_ended"

interface Handlers {
  readonly onMessage: (payload: string) => Effect.Effect<void>
  /** It listens again, and may have missed something. */
  readonly onBack: Effect.Effect<void>
}

const firstPauseMillis = 250
const longestPauseMillis = 5_000
/** A connection that died without a word is found this way. */
const beatMillis = 10_000

/** How long a goodbye may take: a database that does not answer does not answer that either. */
const goodbyeMillis = 1_000

const connect = (url: Redacted.Redacted, onMessage: (payload: string) => void, onLost: () => void) => {
  const socket = new Socket()
  const end = async (client: Client): Promise<void> => {
    const timer = setTimeout(() => socket.destroy(), goodbyeMillis)
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
      catch: () => new PostgresError({ message: "The PostgreSQL of DATABASE_URL cannot be listened to." })
    }),
    (client) => Effect.promise(() => end(client))
  )
}

/** Listens until the scope ends. Gives a way to wait for one message by its words. */
export const listen = Effect.fnUntraced(function* (
  url: Redacted.Redacted,
  { onBack, onMessage }: Handlers
): Effect.fn.Return<(payload: string) => Effect.Effect<Effect.Effect<void>>, PostgresError, Scope.Scope> {
  const messages = yield* Queue.unbounded<string>()
  const expected = new Map<string, Deferred.Deferred<void>>()
  const first = yield* Deferred.make<void, PostgresError>()
  let failures = 0

  const once = Effect.scoped(
    Effect.gen(function* () {
      const lost = yield* Deferred.make<void>()
      const client = yield* connect(
        url,
        (payload) => Queue.offerUnsafe(messages, payload),
        () => Deferred.doneUnsafe(lost, Effect.void)
      )
      failures = 0
      if (!(yield* Deferred.succeed(first, undefined))) yield* onBack
      const beat = Effect.andThen(
        Effect.sleep(beatMillis),
        Effect.tryPromise(() => client.query("SELECT 1"))
      )
      yield* Effect.raceFirst(Deferred.await(lost), Effect.ignore(Effect.forever(beat)))
    })
  )
  const again = Effect.gen(function* () {
    yield* Effect.catch(once, (error) => Deferred.fail(first, error))
    failures++
    yield* Effect.logDebug("the connection that listens is lost, and opened again")
    yield* Effect.sleep(Math.min(firstPauseMillis * 2 ** (failures - 1), longestPauseMillis))
  })
  const hand = Effect.flatMap(Queue.take(messages), (payload) => {
    const waiting = expected.get(payload)
    if (waiting === undefined) return payload.startsWith("test ") ? Effect.void : onMessage(payload)
    expected.delete(payload)
    return Effect.asVoid(Deferred.succeed(waiting, undefined))
  })
  yield* Effect.forkScoped(Effect.forever(again))
  yield* Effect.forkScoped(Effect.forever(hand))
  yield* Deferred.await(first)
  return (payload) =>
    Effect.sync(() => {
      const waiting = Deferred.makeUnsafe<void>()
      expected.set(payload, waiting)
      return Deferred.await(waiting)
    })
})
