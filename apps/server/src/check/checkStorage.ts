/** What `check` tells of the storage: which it is, whether it can be used, and whether servers can share it. */
import { accessSync, constants } from "node:fs"
import { dirname } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import * as Listener from "../storage/postgres/listener.js"
import * as Postgres from "../storage/Postgres.js"
import type * as Storage from "../storage/Storage.js"

/** What was found. */
export interface StorageReport {
  readonly kind: Storage.Database["kind"]
  /** A path; or a host and a database, without who asks and with which password. */
  readonly place: string
  /** PostgreSQL: whether LISTEN and NOTIFY work. */
  readonly notifies?: boolean
  /** PostgreSQL: how far its clock is ahead of this machine's, in milliseconds. */
  readonly clockMillis?: number
  readonly problems: ReadonlyArray<string>
  /** Nothing that keeps a server from running. */
  readonly warnings: ReadonlyArray<string>
}

const file = (path: string): StorageReport => {
  const found = { kind: "sqlite", place: path, warnings: [] } as const
  try {
    accessSync(dirname(path), constants.W_OK)
    return { ...found, problems: [] }
  } catch {
    const message = `The database ${path} cannot be made: check that its folder exists, and that this user may write there.`
    return { ...found, problems: [message] }
  }
}

/** How long a message to ourselves may take. */
const testMillis = 5_000

/** A server tests the same when it starts: a pooler in transaction mode takes LISTEN, and never delivers. */
const notifies = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const sql = yield* SqlClient.SqlClient
  const expectMessage = yield* Listener.listen(url, { onMessage: () => Effect.void, onReconnect: Effect.void })
  const payload = `test ${crypto.randomUUID()}`
  const arrived = yield* expectMessage(payload)
  yield* sql`SELECT pg_notify(${Listener.channel}, ${payload})`
  yield* arrived
}, Effect.scoped)

const notificationsLost =
  "The PostgreSQL of DATABASE_URL takes LISTEN and does not deliver: a pooler in transaction mode does that. Name the server itself, or a pooler in session mode."

/** Leases and deadlines are told by clocks. */
const mostApartMillis = 1_000

const clock = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const before = yield* Clock.currentTimeMillis
  const [row] = yield* sql<{ readonly millis: number; readonly name: string }>`
    SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::float8 AS millis, current_database()::text AS name`
  const after = yield* Clock.currentTimeMillis
  const there = row?.millis ?? before
  // Within the time that the answer took, nothing is known.
  const aheadMillis = there > after ? there - after : Math.min(0, there - before)
  return { name: row?.name ?? "", aheadMillis: Math.round(aheadMillis) }
})

/** The host of an address that may be none. */
const hostOf = (url: string): string => {
  if (!URL.canParse(url)) return "DATABASE_URL"
  const { host, searchParams } = new URL(url)
  return host || searchParams.get("host") || "localhost"
}

const shared = Effect.fnUntraced(
  function* (url: Redacted.Redacted) {
    const { aheadMillis, name } = yield* clock
    const works = yield* notifies(url).pipe(
      Effect.as(true),
      Effect.timeoutOrElse({ duration: testMillis, orElse: () => Effect.succeed(false) })
    )
    const apart = `The clock of the PostgreSQL and this machine's are ${(Math.abs(aheadMillis) / 1_000).toFixed(1)} s apart: set both by the same time server.`
    return {
      place: `${hostOf(Redacted.value(url))}, database ${name}`,
      notifies: works,
      clockMillis: aheadMillis,
      problems: works ? [] : [notificationsLost],
      warnings: Math.abs(aheadMillis) > mostApartMillis ? [apart] : []
    }
  },
  Effect.catchTag(
    "SqlError",
    () => new Postgres.PostgresError({ message: "The PostgreSQL of DATABASE_URL gave no answer." })
  )
)

/** Looks at the storage. Nothing is made or changed there. */
export const checkStorage = (database: Storage.Database): Effect.Effect<StorageReport> => {
  if (database.kind === "sqlite") return Effect.sync(() => file(database.path))
  return shared(database.url).pipe(
    Effect.provide(Postgres.layer(database)),
    Effect.map((found): StorageReport => ({ kind: "postgres", ...found })),
    Effect.catch(({ message }) =>
      Effect.succeed<StorageReport>({
        kind: "postgres",
        place: hostOf(Redacted.value(database.url)),
        problems: [message],
        warnings: []
      })
    )
  )
}

/** In one line. */
export const formatStorage = ({ clockMillis, kind, place }: StorageReport): string =>
  kind === "sqlite"
    ? `storage: the file ${place}, for one server`
    : `storage: PostgreSQL at ${place}, for any number of servers; LISTEN and NOTIFY work, its clock and this one are ${Math.abs(clockMillis ?? 0)} ms apart`
