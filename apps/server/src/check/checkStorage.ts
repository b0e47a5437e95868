/** Checks the storage: its kind, whether it can be used, and whether servers can share it. */
import { accessSync, constants } from "node:fs"
import { dirname } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { formatDecimal } from "../output/numbers.js"
import * as Listener from "../storage/postgres/listener.js"
import * as Postgres from "../storage/Postgres.js"
import type * as Storage from "../storage/Storage.js"

/** What `check` found about the storage. */
export interface StorageReport {
  readonly kind: Storage.Database["kind"]
  /** The location: a path, or a host and a database without credentials. */
  readonly place: string
  /** For PostgreSQL, whether LISTEN and NOTIFY work. */
  readonly notifies?: boolean
  /** For PostgreSQL, how far the database's clock is ahead of the local clock, in milliseconds. */
  readonly clockMillis?: number
  readonly problems: ReadonlyArray<string>
  /** Problems that do not keep a server from running. */
  readonly warnings: ReadonlyArray<string>
}

const file = (path: string): StorageReport => {
  const found = { kind: "sqlite", place: path, warnings: [] } as const
  try {
    accessSync(dirname(path), constants.W_OK)
    return { ...found, problems: [] }
  } catch {
    const message = `The database ${path} cannot be created. Check that its folder exists and that the current user can write to it.`
    return { ...found, problems: [message] }
  }
}

/** Runs the same test that a server runs at startup. */
const notifies = (url: Redacted.Redacted) =>
  Effect.scoped(Effect.flatten(Listener.listen(url, { onMessage: () => Effect.void, onReconnect: Effect.void })))

/**
 * The maximum difference between the database's clock and the local clock. It must be small, because leases and
 * deadlines depend on these clocks.
 */
const maxClockSkewMillis = 1_000

const clock = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const before = yield* Clock.currentTimeMillis
  const [row] = yield* sql<{ readonly millis: number; readonly name: string }>`
    SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::float8 AS millis, current_database()::text AS name`
  const after = yield* Clock.currentTimeMillis
  const there = row?.millis ?? before
  // The database's clock was read at some point during the round trip.
  const aheadMillis = there > after ? there - after : Math.min(0, there - before)
  return { name: row?.name ?? "", aheadMillis: Math.round(aheadMillis) }
})

/** The host of a URL that may be invalid. */
const hostOf = (url: string) => {
  if (!URL.canParse(url)) return "DATABASE_URL"
  const { host, searchParams } = new URL(url)
  return host || searchParams.get("host") || "localhost"
}

const shared = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const { aheadMillis, name } = yield* clock
  const works = yield* notifies(url)
  const apart = `The clocks of the PostgreSQL server and this machine differ by ${formatDecimal((Math.abs(aheadMillis) / 1_000).toFixed(1))} s. Synchronize both with the same time server.`
  return {
    place: `${hostOf(Redacted.value(url))}, database ${name}`,
    notifies: works,
    clockMillis: aheadMillis,
    problems: works ? [] : [Listener.notificationsLost],
    warnings: Math.abs(aheadMillis) > maxClockSkewMillis ? [apart] : []
  }
})

/** Checks the storage without creating or changing anything. */
export const checkStorage = (database: Storage.Database): Effect.Effect<StorageReport> => {
  if (database.kind === "sqlite") return Effect.sync(() => file(database.path))
  const { kind, url } = database
  return shared(url).pipe(
    Effect.provide(Postgres.layer(database)),
    Effect.match({
      onSuccess: (found) => ({ kind, ...found }),
      onFailure: (error) => {
        const silent = "The PostgreSQL server at DATABASE_URL did not respond."
        const problem = error._tag === "SqlError" ? silent : error.message
        return { kind, place: hostOf(Redacted.value(url)), problems: [problem], warnings: [] }
      }
    })
  )
}

/** Formats the storage report as one line. */
export const formatStorage = ({ clockMillis, kind, place }: StorageReport) =>
  kind === "sqlite"
    ? `storage: the file ${place}, for one server`
    : `storage: PostgreSQL at ${place}, for any number of servers; LISTEN and NOTIFY work, clock difference ${Math.abs(clockMillis ?? 0)} ms`
