/** A SQL store on an empty database for each test. */
import { SqlStore, Store } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"

export type Fresh = Layer.Layer<SqlClient.SqlClient, unknown>

/** Runs a test with its own store. `SqlClient` gives access to its tables. */
export type Stored = <A, E>(
  test: (store: Store.Store, sql: SqlClient.SqlClient) => Effect.Effect<A, E>
) => Effect.Effect<A, unknown>

export const storedBy =
  (fresh: Fresh): Stored =>
  (test) =>
    Effect.flatMap(Effect.all([Store.Store, SqlClient.SqlClient]), ([store, sql]) => test(store, sql)).pipe(
      Effect.provide(Layer.fresh(SqlStore.layer.pipe(Layer.provideMerge(fresh))))
    )

/** The number of rows in `swaps`, `swap_events`, `claims` and the other tables. */
export const countOf = (sql: SqlClient.SqlClient, table: string) =>
  Effect.map(sql`SELECT * FROM ${sql(table)}`, (rows) => rows.length)
