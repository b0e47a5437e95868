/** Where a server keeps what it must not forget: a file of its own, or a PostgreSQL that it shares with others. */
import { SwapSignals, LimitShares, SqlStore, type Store } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type * as SqlClient from "effect/sql/SqlClient"
import * as Notifications from "./Notifications.js"
import * as Postgres from "./Postgres.js"
import * as Sqlite from "./Sqlite.js"

/** Which database: of one server, or of any number of them. */
export type Database =
  /** A path, or `:memory:`. */
  | { readonly kind: "sqlite"; readonly path: string }
  | { readonly kind: "postgres"; readonly url: Redacted.Redacted; readonly connections?: number | undefined }

/** Why a database cannot be used. */
export type StorageError = Postgres.PostgresError | Sqlite.SqliteError | Store.StoreUnavailable

/** The file of SQLite at a path. */
export const file = (path: string): Database => ({ kind: "sqlite", path })

/** Whether no other server may use it at the same time. */
export const isExclusive = ({ kind }: Database): boolean => kind === "sqlite"

const client = (database: Database): Layer.Layer<SqlClient.SqlClient, Postgres.PostgresError | Sqlite.SqliteError> =>
  database.kind === "sqlite" ? Sqlite.layer({ path: database.path }) : Postgres.layer(database)

/** The store alone, beside whatever server runs: for commands. */
export const store = (database: Database): Layer.Layer<Store.Store, StorageError> =>
  SqlStore.layer.pipe(Layer.provide(client(database)))

/** For a server: the store, how it hears of what happens there, and its share of the rate limits. */
export const layer = (
  database: Database
): Layer.Layer<Store.Store | SwapSignals.SwapSignals, StorageError | Sqlite.DatabaseInUse> =>
  database.kind === "sqlite"
    ? // The lock comes first: not even the tables are touched while another server uses them.
      Layer.unwrap(Effect.as(Sqlite.lock(database.path), Layer.merge(store(database), SwapSignals.layer)))
    : Layer.merge(Notifications.layer(database), LimitShares.layer()).pipe(
        Layer.provideMerge(SqlStore.layer),
        Layer.provide(client(database))
      )
