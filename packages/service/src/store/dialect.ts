/** The differences between SQLite and PostgreSQL. All other statements in this folder work on both databases. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import * as Batch from "./batchReads.js"
import * as Rows from "./rows.js"
import type { ApiKey } from "./Store.js"
import type { SwapRecord } from "./SwapRecord.js"

/** The maximum number of ids per statement, because databases limit the number of parameters. */
export const maxIds = 500

export interface Dialect {
  /** Runs a transaction that can write from its first statement on. */
  readonly transaction: SqlClient.SqlClient["withTransaction"]
  /** Takes the locks with these names and holds them until the transaction ends. */
  readonly lock: (names: ReadonlyArray<string>) => Effect.Effect<void, SqlError>
  /** A clause for the end of a query that selects rows to change. It skips rows that another transaction has locked. */
  readonly skipLocked: Fragment
  /**
   * Reads an API key. Any client can cause reads of any number of ids, so these reads must not use up all connections.
   */
  readonly apiKeyOf: (id: string) => Effect.Effect<ApiKey | undefined, SqlError>
  /** Reads a swap. */
  readonly swapOf: (id: string) => Effect.Effect<SwapRecord | undefined, SqlError>
}

const keyRows = Rows.all(Rows.ApiKey)

/** A query for API keys with their account names. */
export const namedKeys = "SELECT k.*, a.name AS account_name FROM api_keys k JOIN accounts a ON a.id = k.account_id"

const sqlite = (sql: SqlClient.SqlClient): Dialect => ({
  // A transaction that starts with a read may fail at its first write, because SQLite does not wait for other writers
  // in that case.
  transaction: (effect) =>
    sql.withTransaction(effect).pipe(Effect.provideService(SqlClient.BeginTransaction, "BEGIN IMMEDIATE")),
  // SQLite allows one writer at a time, so every transaction is already exclusive.
  lock: () => Effect.void,
  skipLocked: sql.literal(""),
  // SQLite runs in the process, so reads never wait for a connection.
  apiKeyOf: (id) => Effect.map(keyRows(sql`${sql.literal(namedKeys)} WHERE k.id = ${id}`), ([key]) => key),
  swapOf: (id) =>
    Effect.map(Rows.swaps(sql`SELECT ${sql.literal(Rows.columns)} FROM swaps WHERE id = ${id}`), ([swap]) => swap)
})

const postgres = (sql: SqlClient.SqlClient): Dialect => ({
  transaction: sql.withTransaction,
  // The names are locked in sorted order, so that two transactions that lock the same names cannot deadlock.
  lock: (names) =>
    Effect.forEach(names.toSorted(), (name) => sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`, {
      discard: true
    }),
  skipLocked: sql.literal("FOR UPDATE SKIP LOCKED"),
  apiKeyOf: Batch.make((ids) => keyRows(sql.unsafe(`${namedKeys} WHERE k.id = ANY($1)`, [ids]))),
  swapOf: Batch.make((ids) => Rows.swaps(sql.unsafe(`SELECT ${Rows.columns} FROM swaps WHERE id = ANY($1)`, [ids])))
})

export const make = (sql: SqlClient.SqlClient): Dialect =>
  sql.onDialectOrElse({ pg: () => postgres(sql), orElse: () => sqlite(sql) })
