/**
 * The embedded database: an `effect/sql` client for a SQLite file, and the lock that reserves the file for one server.
 */
import type { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import { makeCompilerSqlite } from "effect/sql/Statement"
import * as Connection from "./sqlite/connection.js"
import * as File from "./sqlite/file.js"

/** The file cannot be used as a database. */
export class SqliteError extends Schema.TaggedError<SqliteError>()("SqliteError", {
  path: Schema.String,
  message: Schema.String
}) {}

/** Another server is using the same file. */
export class DatabaseInUse extends Schema.TaggedError<DatabaseInUse>()("DatabaseInUse", {
  path: Schema.String,
  message: Schema.String
}) {}

const unusable = (path: string) => (cause: unknown) =>
  new SqliteError({
    path,
    message: `The database ${path} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}. Check that its folder exists, that the current user can write to it, and that the file is a database created by this service.`
  })

/** How long a write waits for another process, such as a command that adds an API key. */
const busyTimeoutMillis = 5_000

const open = (path: string) => {
  const database = File.open(path, { timeout: busyTimeoutMillis, enableForeignKeyConstraints: true })
  try {
    if (database.prepare("PRAGMA journal_mode = WAL").get()?.["journal_mode"] !== "wal" && path !== File.memory) {
      throw new Error("its file system does not support the shared memory required by SQLite's write-ahead log")
    }
    // A swap must be on disk before it is acknowledged.
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
  // Fibers share the connection. Statements must not run inside another fiber's transaction.
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
 * A client for the file at `path`. A new file is readable only by its owner. Each `:memory:` database is separate.
 * Other processes may use the file at the same time.
 */
export const layer = (options: { readonly path: string }) =>
  Layer.effect(SqlClient.SqlClient, make(options.path)).pipe(Layer.provide(Reactivity.layer))

/**
 * The locks held by this process. Each lock is an open connection. The connections are kept here because the garbage
 * collector closes unreferenced connections, and a waiting fiber does not keep its connection referenced.
 */
const locks = new Set<DatabaseSync>()

/**
 * Locks the database at `path`, so that no other server can use it until the scope closes or the process dies. Commands
 * that change keys do not need the lock.
 */
export const lock = Effect.fn("Sqlite.lock")(function* (path: string) {
  if (path === File.memory) return
  const file = `${File.real(path)}.lock`
  yield* Effect.acquireRelease(
    Effect.try({
      try: () => {
        const database = File.open(file, { timeout: 0 })
        try {
          // The operating system releases the lock when the process dies. The lock file's contents have no meaning.
          database.exec("BEGIN EXCLUSIVE")
          locks.add(database)
          return database
        } catch (cause) {
          database.close()
          throw cause
        }
      },
      catch: (cause) =>
        // The primary error code, without the extended bits.
        cause instanceof Error && "errcode" in cause && (Number(cause.errcode) & 0xff) === 5
          ? new DatabaseInUse({
              path,
              message: `Another server is using the database ${path} (that server has locked ${file}). Stop that server, or set a different "database" in this configuration.`
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
