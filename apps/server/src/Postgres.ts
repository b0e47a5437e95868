/** PostgreSQL: a client of `effect/sql` on a pool of connections, for any number of servers at once. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { defaultEscape, makeCompiler } from "effect/sql/Statement"
import { type ClientConfig, Pool, type PoolClient } from "pg"
import * as Connection from "./internal/postgres/connection.js"
import { sqlError } from "./internal/postgres/errors.js"
import { conflictsIn, sessionSettings } from "./internal/postgres/sessionSettings.js"

export interface Options {
  /** `postgres://user:password@host:port/database`, straight to the server or through a pooler in session mode. */
  readonly url: Redacted.Redacted
  /** Connections of this process at most; 10 where absent. */
  readonly connections?: number | undefined
  /** Milliseconds until a new connection is open, or one that is in use is free (default: 5,000). */
  readonly waitMillis?: number | undefined
}

/** The address is none, or nobody there lets us in. The address itself is not repeated: it holds a password. */
export class PostgresError extends Schema.TaggedError<PostgresError>()("PostgresError", { message: Schema.String }) {}

/** How long a connection may take. */
const connectMillis = 5_000

/** What every connection of ours is opened with. */
export const settings = (url: Redacted.Redacted): ClientConfig => ({
  ...sessionSettings(Redacted.value(url)),
  application_name: "geoswap-server",
  connectionTimeoutMillis: connectMillis,
  keepAlive: true
})

const unreachable = (cause: unknown): PostgresError => {
  const error = sqlError(cause)
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? ` (${cause.code})` : ""
  const tag = error.reason._tag
  const words =
    tag === "AuthenticationError" || tag === "AuthorizationError"
      ? "refuses this user: check the name and the password"
      : code === " (3D000)"
        ? "does not have that database: make it, or name another"
        : code === " (08P01)"
          ? "refuses our settings, as a pooler does: name the server itself, or let the pooler ignore statement_timeout, lock_timeout, idle_in_transaction_session_timeout and options, and set them for the user"
          : "cannot be reached: check host, port and whether it runs"
  return new PostgresError({ message: `The PostgreSQL of DATABASE_URL ${words}${code}.` })
}

const isAddress = (url: string): boolean => /^postgres(ql)?:\/\/.+/.test(url) && URL.canParse(url)

const make = Effect.fnUntraced(function* ({
  connections = 10,
  url,
  waitMillis = connectMillis
}: Options): Effect.fn.Return<SqlClient.SqlClient, PostgresError, Scope.Scope | Reactivity.Reactivity> {
  if (!isAddress(Redacted.value(url))) {
    return yield* new PostgresError({
      message: "DATABASE_URL is no address of a PostgreSQL: write postgres://user:password@host:5432/database."
    })
  }
  const conflicts = conflictsIn(Redacted.value(url))
  if (conflicts.length > 0) {
    return yield* new PostgresError({
      message: `DATABASE_URL sets ${conflicts.join(" and ")}, which the server sets itself: remove that from its query.`
    })
  }
  const pool = yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new Pool({
          ...settings(url),
          connectionTimeoutMillis: waitMillis,
          max: connections,
          idleTimeoutMillis: 60_000
        })
    ),
    (pool) => Effect.promise(() => pool.end())
  )
  const run = Effect.runForkWith(yield* Effect.context())
  // Without a listener, a database that restarts would end the process.
  pool.on("error", () => run(Effect.logDebug("a connection to the database was lost while nobody used it")))

  const nameOf = Connection.makeNames()
  const connect = Effect.tryPromise({ try: () => pool.connect(), catch: (cause) => cause })
  const leased = (client: PoolClient): Connection.PostgresConnection => Connection.make(client, nameOf)
  const acquire = Effect.map(Effect.mapError(connect, sqlError), (client) => {
    // An error between two statements is told by the next one.
    const ignore = () => undefined
    client.on("error", ignore)
    return { client, connection: leased(client), ignore }
  })
  const release = ({ client, connection, ignore }: Effect.Success<typeof acquire>) =>
    Effect.sync(() => {
      client.off("error", ignore)
      client.release(connection.broken())
    })
  // At once, so that a wrong address ends the start and not the first request.
  yield* Effect.flatMap(Effect.mapError(connect, unreachable), (client) => Effect.sync(() => client.release()))

  const acquirer = Effect.map(Effect.acquireRelease(acquire, release), ({ connection }) => connection)
  return yield* SqlClient.make({
    acquirer,
    borrower: <A, E, R>(use: (connection: Connection.PostgresConnection) => Effect.Effect<A, E, R>) =>
      Effect.acquireUseRelease(
        acquire,
        ({ connection }): Effect.Effect<A, E | SqlError, R> => use(connection),
        release
      ),
    compiler: makeCompiler({
      dialect: "pg",
      placeholder: (index) => `$${index}`,
      onIdentifier: defaultEscape('"'),
      onRecordUpdate: () => ["", []],
      onCustom: () => ["", []]
    }),
    driver: "pg",
    spanAttributes: [["db.system.name", "postgresql"]],
    commit: Connection.commit,
    isTransaction: (connection) => !(connection as Connection.PostgresConnection).broken(),
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`
  })
})

/** A client on the database of an address, which has to answer. */
export const layer = (options: Options): Layer.Layer<SqlClient.SqlClient, PostgresError> =>
  Layer.effect(SqlClient.SqlClient, make(options)).pipe(Layer.provide(Reactivity.layer))
