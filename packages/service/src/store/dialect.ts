/** Where SQLite and PostgreSQL differ. Every other statement of this folder means the same to both. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import type { ApiKey } from "./Store.js"
import type { SwapRecord } from "./SwapRecord.js"
import * as Batch from "./batchReads.js"
import * as Rows from "./rows.js"

/** How many ids a statement takes: databases bound its parameters. */
export const maxIds = 500

export interface Dialect {
  /** Runs all or nothing, and may write from its first statement on. */
  readonly transaction: SqlClient.SqlClient["withTransaction"]
  /** Within a transaction: from here to its end, no other one holds any of these names. */
  readonly lock: (names: ReadonlyArray<string>) => Effect.Effect<void, SqlError>
  /** At the end of a select of rows that are to be changed: leaves out those that another transaction changes. */
  readonly skipLocked: Fragment
  /** An API key by its id. Anyone can ask for any number of ids, so that these reads must not take all connections. */
  readonly apiKeyOf: (id: string) => Effect.Effect<ApiKey | undefined, SqlError>
  /** A swap by its id. */
  readonly swapOf: (id: string) => Effect.Effect<SwapRecord | undefined, SqlError>
}

const keyRows = Rows.all(Rows.ApiKey)

/** API keys with the names of their accounts. */
export const namedKeys = "SELECT k.*, a.name AS account_name FROM api_keys k JOIN accounts a ON a.id = k.account_id"

const sqlite = (sql: SqlClient.SqlClient): Dialect => ({
  // One that begins by reading may find that it cannot write any more, and SQLite then does not wait.
  transaction: (effect) =>
    sql.withTransaction(effect).pipe(Effect.provideService(SqlClient.BeginTransaction, "BEGIN IMMEDIATE")),
  // There is one writer at a time, and that is the whole transaction.
  lock: () => Effect.void,
  skipLocked: sql.literal(""),
  // In the process, and done at once: nobody waits for a connection.
  apiKeyOf: (id) => Effect.map(keyRows(sql`${sql.literal(namedKeys)} WHERE k.id = ${id}`), ([key]) => key),
  swapOf: (id) =>
    Effect.map(Rows.swaps(sql`SELECT ${sql.literal(Rows.columns)} FROM swaps WHERE id = ${id}`), ([swap]) => swap)
})

const postgres = (sql: SqlClient.SqlClient): Dialect => ({
  transaction: sql.withTransaction,
  // Always in the same order: two that want the same names cannot wait for each other.
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
