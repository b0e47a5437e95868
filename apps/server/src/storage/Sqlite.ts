/** The embedded database: a client of `effect/sql` on a file of SQLite, and the lock that gives it to one server. */
import type { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import { makeCompilerSqlite } from "effect/sql/Statement"
import * as Connection from "./sqlite/connection.js"
import * as File from "./sqlite/file.js"

/** The file is no database that can be used. */
export class SqliteError extends Schema.TaggedError<SqliteError>()("SqliteError", {
  path: Schema.String,
  message: Schema.String
}) {}

/** Another server works on the same file. */
export class DatabaseInUse extends Schema.TaggedError<DatabaseInUse>()("DatabaseInUse", {
  path: Schema.String,
  message: Schema.String
}) {}

const unusable = (path: string) => (cause: unknown) =>
  new SqliteError({
    path,
    message: `The database ${path} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}. Check that its folder exists, that this user may write there, and that the file is a database of this service.`
  })

/** How long a write waits for one of another process, a command that adds an API key say. */
const busyTimeoutMillis = 5_000

const journalOf = (database: DatabaseSync): unknown =>
  database.prepare("PRAGMA journal_mode = WAL").get()?.["journal_mode"]

const open = (path: string): DatabaseSync => {
  const database = File.open(path, { timeout: busyTimeoutMillis, enableForeignKeyConstraints: true })
  try {
    if (journalOf(database) !== "wal" && path !== File.memory) {
      throw new Error("its file system has no shared memory, which SQLite's write-ahead log needs")
    }
    // An answer is given once its swap is on the disk, not before.
    database.exec("PRAGMA synchronous = FULL")
    return database
  } catch (cause) {
    database.close()
    throw cause
  }
}

const make = Effect.fnUntraced(function* (path: string) {
  const database = yield* Effect.acquireRelease(
    Effect.try({ try: () => open(path), catch: unusable(path) }),
    (database) => Effect.sync(() => database.close())
  )
  // Fibers share the connection: nobody's statement may slip into the transaction of another.
  const semaphore = yield* Semaphore.make(1)
  return yield* SqlClient.make({
    ...SqlClient.makeSqliteAcquirers({
      connection: Effect.succeed(Connection.make(database)),
      semaphore,
      isTransaction: () => database.isTransaction
    }),
    compiler: makeCompilerSqlite(),
    driver: "node-sqlite",
    spanAttributes: [["db.system.name", "sqlite"]],
    beginTransaction: "BEGIN IMMEDIATE",
    prepareTransactionControls: true,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`
  })
})

/**
 * A client on the file at `path`, which is made where there is none, for its owner alone. `:memory:` is a database of
 * its own each time. Other processes may use the file at the same time.
 */
export const layer = (options: { readonly path: string }): Layer.Layer<SqlClient.SqlClient, SqliteError> =>
  Layer.effect(SqlClient.SqlClient, make(options.path)).pipe(Layer.provide(Reactivity.layer))

/**
 * The locks of this process. A connection that nothing refers to is closed by the garbage collector, and a fiber that only
 * waits is referred to by nothing.
 */
const locks = new Set<DatabaseSync>()

/**
 * Makes this process the one server of the database at `path`, until the scope closes or the process ends in whatever
 * way. Only servers take it: commands that change keys use the file without.
 */
export const lock = Effect.fn("Sqlite.lock")(function* (
  path: string
): Effect.fn.Return<void, SqliteError | DatabaseInUse, Scope.Scope> {
  if (path === File.memory) return
  const file = `${File.real(path)}.lock`
  yield* Effect.acquireRelease(
    Effect.try({
      try: () => {
        const database = File.open(file, { timeout: 0 })
        try {
          // The system lets go of what a transaction locks when its process dies; the file itself means nothing.
          database.exec("BEGIN EXCLUSIVE")
          locks.add(database)
          return database
        } catch (cause) {
          database.close()
          throw cause
        }
      },
      catch: (cause) =>
        File.codeOf(cause) === 5
          ? new DatabaseInUse({
              path,
              message: `Another server uses the database ${path} (it holds ${file}). Stop that server, or set another "database" in this one's configuration.`
            })
          : unusable(file)(cause)
    }),
    (database) =>
      Effect.sync(() => {
        locks.delete(database)
        database.close()
      })
  )
})
