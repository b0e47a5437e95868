/** Where SQLite and PostgreSQL differ. Every other statement of this folder means the same to both. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import type { SwapRecord } from "../../SwapRecord.js"
import * as Batch from "./batch.js"
import * as Rows from "./rows.js"

/** How many ids a statement takes: databases bound its parameters. */
export const atOnce = 500

export interface Dialect {
  /** Runs all or nothing, and may write from its first statement on. */
  readonly transaction: SqlClient.SqlClient["withTransaction"]
  /** Within a transaction: from here to its end, no other one holds any of these names. */
  readonly hold: (names: ReadonlyArray<string>) => Effect.Effect<void, SqlError>
  /** At the end of a select of rows that are to be changed: leaves out those that another transaction changes. */
  readonly skipLocked: Fragment
  /** A swap by its id. */
  readonly swapOf: (id: string) => Effect.Effect<SwapRecord | undefined, SqlError>
}

const sqlite = (sql: SqlClient.SqlClient): Dialect => ({
  // One that begins by reading may find that it cannot write any more, and SQLite then does not wait.
  transaction: (effect) =>
    sql.withTransaction(effect).pipe(Effect.provideService(SqlClient.BeginTransaction, "BEGIN IMMEDIATE")),
  // There is one writer at a time, and that is the whole transaction.
  hold: () => Effect.void,
  skipLocked: sql.literal(""),
  // In the process, and done at once: nobody waits for a connection.
  swapOf: (id) =>
    Effect.map(Rows.swaps(sql`SELECT ${sql.literal(Rows.columns)} FROM swaps WHERE id = ${id}`), ([swap]) => swap)
})

const postgres = (sql: SqlClient.SqlClient): Dialect => ({
  transaction: sql.withTransaction,
  // Always in the same order: two that want the same names cannot wait for each other.
  hold: (names) =>
    Effect.forEach(names.toSorted(), (name) => sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`, {
      discard: true
    }),
  skipLocked: sql.literal("FOR UPDATE SKIP LOCKED"),
  swapOf: Batch.make((ids) => Rows.swaps(sql.unsafe(`SELECT ${Rows.columns} FROM swaps WHERE id = ANY($1)`, [ids])))
})

export const make = (sql: SqlClient.SqlClient): Dialect =>
  sql.onDialectOrElse({ pg: () => postgres(sql), orElse: () => sqlite(sql) })
