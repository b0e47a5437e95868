/** A server's storage: its own SQLite file, or a PostgreSQL database that several servers share. */
import { LimitShares, SqlStore, type Store, type StoreError, SwapSignals } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type * as SqlClient from "effect/sql/SqlClient"
import * as Notifications from "./Notifications.js"
import * as Postgres from "./Postgres.js"
import * as Sqlite from "./Sqlite.js"

/** A database for one server, or for any number of servers. */
export type Database =
  /** A SQLite database. `path` is a file path or `:memory:`. */
  | { readonly kind: "sqlite"; readonly path: string }
  | { readonly kind: "postgres"; readonly url: Redacted.Redacted; readonly connections?: number | undefined }

/** Why a database cannot be used. */
export type StorageError = Postgres.PostgresError | Sqlite.SqliteError | StoreError.StoreUnavailable

/** A SQLite file. */
export const file = (path: string): Database => ({ kind: "sqlite", path })

/** Whether only one server can use the database at a time. */
export const isExclusive = ({ kind }: Database) => kind === "sqlite"

const client = (database: Database): Layer.Layer<SqlClient.SqlClient, Postgres.PostgresError | Sqlite.SqliteError> =>
  database.kind === "sqlite" ? Sqlite.layer(database) : Postgres.layer(database)

/** The store, for commands that run alongside servers. */
export const store = (database: Database) => SqlStore.layer.pipe(Layer.provide(client(database)))

/** The store, the swap notifications and the shared rate limits for a server. */
export const layer = (
  database: Database
): Layer.Layer<Store.Store | SwapSignals.SwapSignals, StorageError | Sqlite.DatabaseInUse> =>
  database.kind === "sqlite"
    ? // The lock comes first, so that no table is changed while another server is using the file.
      Layer.unwrap(Effect.as(Sqlite.lock(database.path), Layer.merge(store(database), SwapSignals.layer)))
    : Layer.merge(Notifications.layer(database), LimitShares.layer()).pipe(
        Layer.provideMerge(SqlStore.layer),
        Layer.provide(client(database))
      )
