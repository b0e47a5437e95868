/** PostgreSQL: an `effect/sql` client with a connection pool, for any number of servers. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { defaultEscape, makeCompiler } from "effect/sql/Statement"
import { type ClientConfig, Pool } from "pg"
import { errorCode } from "../node/errorCode.js"
import * as Connection from "./postgres/connection.js"
import { sqlError } from "./postgres/errors.js"
import { conflictsIn, sessionSettings } from "./postgres/sessionSettings.js"

export interface Options {
  /** The URL of the database or of a pooler in session mode: `postgres://user:password@host:port/database`. */
  readonly url: Redacted.Redacted
  /** The maximum number of connections for this process (default: 10). */
  readonly connections?: number | undefined
  /** Milliseconds to wait for a new or free connection (default: 5,000). */
  readonly waitMillis?: number | undefined
}

/** The URL is invalid, or the database cannot be used. The message omits the URL, which contains a password. */
export class PostgresError extends Schema.TaggedError<PostgresError>()("PostgresError", { message: Schema.String }) {}

/** How long connecting may take. */
const connectMillis = 5_000

/** The settings for every connection. */
export const settings = (url: Redacted.Redacted): ClientConfig => ({
  ...sessionSettings(Redacted.value(url)),
  application_name: "geoswap-server",
  connectionTimeoutMillis: connectMillis,
  keepAlive: true
})

const unreachable = (cause: unknown) => {
  const state = errorCode(cause)
  const code = state === "" ? "" : ` (${state})`
  const tag = sqlError(cause).reason._tag
  const problem =
    tag === "AuthenticationError" || tag === "AuthorizationError"
      ? `rejected the user named in the URL${code}. Check the name and the password.`
      : state === "3D000"
        ? `does not have the database named in the URL${code}. Create it, or use another name.`
        : state === "08P01"
          ? `rejected the connection settings${code}, as some poolers do. Connect to the server directly, or configure the pooler to ignore statement_timeout, lock_timeout, idle_in_transaction_session_timeout and options. Then set these parameters for the database user.`
          : `cannot be reached${code}. Check the host and the port, and make sure that the server is running.`
  return new PostgresError({ message: `The PostgreSQL server at DATABASE_URL ${problem}` })
}

const isAddress = (url: string) => /^postgres(ql)?:\/\/.+/.test(url) && URL.canParse(url)

const make = Effect.fnUntraced(function* ({ connections = 10, url, waitMillis = connectMillis }: Options) {
  if (!isAddress(Redacted.value(url))) {
    return yield* new PostgresError({
      message: "DATABASE_URL is invalid: expected postgres://user:password@host:5432/database."
    })
  }
  const conflicts = conflictsIn(Redacted.value(url))
  if (conflicts.length > 0) {
    return yield* new PostgresError({
      message: `DATABASE_URL sets ${conflicts.join(" and ")}, which geoswap-server sets itself. Remove ${conflicts.join(" and ")} from the URL's query string.`
    })
  }
  const config = { ...settings(url), connectionTimeoutMillis: waitMillis, max: connections, idleTimeoutMillis: 60_000 }
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => new Pool(config)),
    (pool) => Effect.promise(() => pool.end())
  )
  const run = Effect.runForkWith(yield* Effect.context())
  // Without an error listener, a database restart would crash the process.
  pool.on("error", () => run(Effect.logDebug("an idle connection to the database was lost")))

  const nameOf = Connection.makeNames()
  const connect = Effect.tryPromise({ try: () => pool.connect(), catch: (cause) => cause })
  const acquire = Effect.map(Effect.mapError(connect, sqlError), (client) => {
    // An error that occurs between two statements can be ignored here, because the second statement reports it.
    const ignore = () => undefined
    client.on("error", ignore)
    return { client, connection: Connection.make(client, nameOf), ignore }
  })
  const release = ({ client, connection, ignore }: Effect.Success<typeof acquire>) =>
    Effect.sync(() => {
      client.off("error", ignore)
      client.release(connection.broken())
    })
  // Connect now, so that a wrong URL fails at startup instead of on the first request.
  yield* Effect.flatMap(Effect.mapError(connect, unreachable), (client) => Effect.sync(() => client.release()))

  const acquirer = Effect.map(Effect.acquireRelease(acquire, release), ({ connection }) => connection)
  return yield* SqlClient.make({
    acquirer,
    borrower: <A, E, R>(use: (connection: Connection.PostgresConnection) => Effect.Effect<A, E, R>) =>
      Effect.acquireUseRelease(acquire, ({ connection }) => use(connection), release),
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

/** A client for the database at a URL. Fails if the database does not respond. */
export const layer = (options: Options) =>
  Layer.effect(SqlClient.SqlClient, make(options)).pipe(Layer.provide(Reactivity.layer))
