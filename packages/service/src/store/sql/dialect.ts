/** The differences between SQLite and PostgreSQL. All other statements in this folder work on both databases. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import type { Attempt, Kind, SwapRecord } from "../../domain/SwapRecord.js"
import type { AcceptanceStore } from "../acceptance/AcceptanceStore.js"
import { amountOfParts, padded, sumOfParts } from "../acceptance/amountParts.js"
import * as Totals from "../acceptance/claimTotals.js"
import * as PostgresAcceptance from "../acceptance/postgres.js"
import * as SqliteAcceptance from "../acceptance/sqlite.js"
import type { ApiKey } from "../Store.js"
import * as PostgresChanges from "../swaps/changePostgres.js"
import * as SqliteChanges from "../swaps/changeSqlite.js"
import * as SwapRows from "../swaps/swapRows.js"
import type { WriteSwap } from "../swaps/SwapWrite.js"
import * as Batch from "./batchReads.js"
import * as Rows from "./rows.js"

/** The maximum number of ids per statement, because databases limit the number of parameters. */
export const maxIds = 500

/** Aggregates of amounts that are stored as decimal text, and NULL for no amount. */
interface Amounts {
  /** An expression for the largest amount in a column, for `sum`. */
  readonly most: (column: string) => Fragment
  /** An expression for the sum of a column that contains results of `most`. */
  readonly sum: (column: string) => Fragment
  /** Decodes a sum. */
  readonly read: (sum: string | null) => bigint
}

export interface Dialect {
  /** Runs a transaction that can write from its first statement on. */
  readonly transaction: SqlClient.SqlClient["withTransaction"]
  /** Runs a transaction in which all reads see the same state. */
  readonly snapshot: SqlClient.SqlClient["withTransaction"]
  /** Takes the locks with these names and holds them until the transaction ends. */
  readonly lock: (names: ReadonlyArray<string>) => Effect.Effect<void, SqlError>
  /** A clause for the end of a query that selects rows to change. It skips rows that another transaction has locked. */
  readonly skipLocked: Fragment
  /** A clause for the end of a query that selects rows to change. It waits for rows that another transaction has locked. */
  readonly lockRows: Fragment
  /**
   * Reads an API key. Any client can cause reads of any number of ids, so these reads must not use up all connections.
   */
  readonly apiKeyOf: (id: string) => Effect.Effect<ApiKey | undefined, SqlError>
  /** Reads a swap by its id, or by its order. */
  readonly swapOf: (id: string) => Effect.Effect<SwapRecord | undefined, SqlError>
  readonly swapOfOrder: (orderId: string) => Effect.Effect<SwapRecord | undefined, SqlError>
  /** Reads the attempts at a swap's transaction of a kind, oldest first. */
  readonly attemptsOf: (id: string, kind: Kind) => Effect.Effect<ReadonlyArray<Attempt>, SqlError>
  readonly acceptance: AcceptanceStore
  readonly totals: Totals.ClaimTotals
  readonly amounts: Amounts
  readonly writeSwap: WriteSwap
  /** Whether concurrent writes share a transaction, because a commit waits for the disk and blocks all others. */
  readonly sharesCommits: boolean
  /** Whether `writeSwap` uses one statement, which does not need a transaction unless it has an intent. */
  readonly writesInOneStatement: boolean
}

const keyRows = Rows.all(Rows.ApiKey)
const attemptRows = Rows.all(Rows.Attempt)

/** A query for API keys with their account names. */
export const namedKeys = "SELECT k.*, a.name AS account_name FROM api_keys k JOIN accounts a ON a.id = k.account_id"

const selectSwaps = `SELECT ${SwapRows.columns} FROM swaps`
const selectAttempts = "SELECT * FROM tx_attempts WHERE"

/** Reads the attempts of many swaps in one statement, because every running swap reads its attempts at each poll. */
const batchedAttempts = (sql: SqlClient.SqlClient): Dialect["attemptsOf"] => {
  const rows = Rows.all(Schema.Struct({ swap_id: Schema.String, kind: Schema.String }))
  const read = Batch.make(
    Effect.fnUntraced(function* (keys: ReadonlyArray<string>) {
      const [kinds, ids] = [keys.map((key) => key.split(" ", 1)[0]), keys.map((key) => key.slice(key.indexOf(" ") + 1))]
      const found = yield* sql.unsafe(
        `${selectAttempts} (swap_id, kind) IN (SELECT * FROM unnest($1::text[], $2::text[])) ORDER BY number`,
        [ids, kinds]
      )
      const attempts = yield* attemptRows(Effect.succeed(found))
      const owners = yield* rows(Effect.succeed(found))
      const groups = new Map<string, Array<Attempt>>(keys.map((key) => [key, []]))
      for (const [index, { kind, swap_id }] of owners.entries()) {
        const attempt = attempts[index]
        if (attempt !== undefined) groups.get(`${kind} ${swap_id}`)?.push(attempt)
      }
      return [...groups]
    }),
    ([key]) => key
  )
  return (id, kind) => Effect.map(read(`${kind} ${id}`), (found) => found?.[1] ?? [])
}

/** Runs a transaction that starts with the given statement. */
const transactionBy =
  (sql: SqlClient.SqlClient, begin: string): SqlClient.SqlClient["withTransaction"] =>
  (effect) =>
    Effect.provideService(sql.withTransaction(effect), SqlClient.BeginTransaction, begin)

const sqlite = (sql: SqlClient.SqlClient): Dialect => ({
  // A transaction that starts with a read may fail at its first write, because SQLite does not wait for other writers
  // in that case.
  transaction: transactionBy(sql, "BEGIN IMMEDIATE"),
  snapshot: transactionBy(sql, "BEGIN"),
  // SQLite allows one writer at a time, so every transaction is already exclusive.
  lock: () => Effect.void,
  skipLocked: sql.literal(""),
  lockRows: sql.literal(""),
  // SQLite runs in the process, so reads never wait for a connection.
  apiKeyOf: (id) => Effect.map(keyRows(sql`${sql.literal(namedKeys)} WHERE k.id = ${id}`), ([key]) => key),
  swapOf: (id) => Effect.map(SwapRows.swaps(sql.unsafe(`${selectSwaps} WHERE id = ?`, [id])), ([swap]) => swap),
  swapOfOrder: (orderId) =>
    Effect.map(SwapRows.swaps(sql.unsafe(`${selectSwaps} WHERE order_id = ?`, [orderId])), ([swap]) => swap),
  attemptsOf: (id, kind) =>
    attemptRows(sql.unsafe(`${selectAttempts} swap_id = ? AND kind = ? ORDER BY number`, [id, kind])),
  acceptance: SqliteAcceptance.make(sql),
  totals: Totals.sqlite(sql),
  amounts: {
    most: (column) => sql.literal(`MAX(${padded(column)})`),
    sum: (column) => sql.literal(sumOfParts(column)),
    read: amountOfParts
  },
  writeSwap: SqliteChanges.make(sql),
  sharesCommits: true,
  writesInOneStatement: false
})

const postgres = (sql: SqlClient.SqlClient): Dialect => ({
  transaction: sql.withTransaction,
  snapshot: transactionBy(sql, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
  // The names are locked in sorted order, so that two transactions that lock the same names cannot deadlock.
  lock: (names) =>
    Effect.forEach(names.toSorted(), (name) => sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`, {
      discard: true
    }),
  skipLocked: sql.literal("FOR UPDATE SKIP LOCKED"),
  lockRows: sql.literal("FOR UPDATE"),
  apiKeyOf: Batch.make(
    (ids) => keyRows(sql.unsafe(`${namedKeys} WHERE k.id = ANY($1)`, [ids])),
    ({ id }) => id
  ),
  swapOf: Batch.make(
    (ids) => SwapRows.swaps(sql.unsafe(`${selectSwaps} WHERE id = ANY($1)`, [ids])),
    ({ id }) => id
  ),
  swapOfOrder: Batch.make(
    (orderIds) => SwapRows.swaps(sql.unsafe(`${selectSwaps} WHERE order_id = ANY($1)`, [orderIds])),
    ({ orderId }) => orderId
  ),
  attemptsOf: batchedAttempts(sql),
  acceptance: PostgresAcceptance.make(sql),
  totals: Totals.postgres(sql),
  amounts: {
    most: (column) => sql.literal(`MAX(${column}::numeric)`),
    sum: (column) => sql.literal(`SUM(${column})::text`),
    read: (sum) => BigInt(sum ?? 0)
  },
  writeSwap: PostgresChanges.make(sql),
  // PostgreSQL combines the commits of concurrent transactions.
  sharesCommits: false,
  writesInOneStatement: true
})

export const make = (sql: SqlClient.SqlClient): Dialect =>
  sql.onDialectOrElse({ pg: () => postgres(sql), orElse: () => sqlite(sql) })
