/** The differences between SQLite and PostgreSQL that statements in all parts of the store need. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import * as Batch from "./batchReads.js"

/** The maximum number of ids per statement, because databases limit the number of parameters. */
export const maxIds = 500

/** The types of columns. A BIGINT and a NUMERIC may be given as text. */
export type ColumnType = "TEXT" | "BIGINT" | "DOUBLE PRECISION" | "NUMERIC"

export type Columns = Readonly<Record<string, ColumnType>>

/** Adds a parameter to a statement, and returns its placeholder. */
export type Parameter = (value: unknown) => string

/** Decodes the rows that a statement returns. */
type Decode<A> = (
  statement: Effect.Effect<ReadonlyArray<unknown>, SqlError>
) => Effect.Effect<ReadonlyArray<A>, SqlError>

export interface Dialect {
  readonly engine: "postgres" | "sqlite"
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
   * Creates a read of the rows that have a value in a text column. Any client can cause any number of reads, so these must not
   * use up all connections.
   */
  readonly readBy: <A>(
    select: string,
    column: string,
    decode: Decode<A>,
    valueOf: (row: A) => string
  ) => (value: string) => Effect.Effect<ReadonlyArray<A>, SqlError>
  /** A table named `given` with rows that are passed as JSON. */
  readonly given: (json: string, columns: Columns) => string
  /** An expression for the largest amount in a column of decimal text, and NULL for no amount. */
  readonly most: (column: string) => string
  /** An expression for the sum of a column that contains amounts or results of `most`, as text for `Rows.sum`. */
  readonly sum: (column: string) => string
  /** Runs writes that do not depend on each other. */
  readonly writeAll: (
    writes: ReadonlyArray<(parameter: Parameter) => string>
  ) => Effect.Effect<ReadonlyArray<unknown>, SqlError>
}

/** Returns the statement, and the parameters that it has added. */
export const withParameters = (
  placeholderOf: (index: number) => string,
  statementOf: (parameter: Parameter) => string
): readonly [text: string, parameters: ReadonlyArray<unknown>] => {
  const parameters: Array<unknown> = []
  const text = statementOf((value) => placeholderOf(parameters.push(value)))
  return [text, parameters]
}

export const numbered = (index: number): string => `$${index}`
export const unnumbered = (): string => "?"

/** A write that inserts rows. */
export const insertRows =
  ({ given }: Pick<Dialect, "given">, table: string, columns: Columns, rows: ReadonlyArray<object>) =>
  (parameter: Parameter): string => {
    const names = Object.keys(columns).join(", ")
    return `INSERT INTO ${table} (${names}) SELECT ${names} FROM ${given(parameter(JSON.stringify(rows)), columns)}`
  }

const listed = (columns: Columns, itemOf: (name: string, type: ColumnType) => string): string =>
  Object.entries(columns)
    .map(([name, type]) => itemOf(name, type))
    .join(", ")

/** Runs a transaction that starts with the given statement. */
const transactionBy =
  (sql: SqlClient.SqlClient, begin: string): SqlClient.SqlClient["withTransaction"] =>
  (effect) =>
    Effect.provideService(sql.withTransaction(effect), SqlClient.BeginTransaction, begin)

/** The parts of statements on PostgreSQL that functions use too. */
export const postgresParts: Pick<Dialect, "engine" | "given" | "sum"> = {
  engine: "postgres",
  given: (json, columns) =>
    `json_to_recordset(${json}::json) AS given (${listed(columns, (...column) => column.join(" "))})`,
  sum: (column) => `SUM(${column}::numeric)::text`
}

const sqlite = (sql: SqlClient.SqlClient): Dialect => ({
  engine: "sqlite",
  // A transaction that starts with a read may fail at its first write, because SQLite does not wait for other writers
  // in that case.
  transaction: transactionBy(sql, "BEGIN IMMEDIATE"),
  snapshot: transactionBy(sql, "BEGIN"),
  // SQLite allows one writer at a time, so every transaction is already exclusive.
  lock: () => Effect.void,
  skipLocked: sql.literal(""),
  lockRows: sql.literal(""),
  // SQLite runs in the process, so reads never wait for a connection.
  readBy: (select, column, decode) => (value) => decode(sql.unsafe(`${select} WHERE ${column} = ?`, [value])),
  // Materialized, because SQLite would otherwise write and parse the JSON of a row again for each of its columns.
  given: (json, columns) => `(WITH listed AS MATERIALIZED (SELECT value FROM json_each(${json})),
    decoded AS MATERIALIZED (SELECT ${listed(columns, (name, type) =>
      type === "BIGINT" ? `CAST(value ->> '${name}' AS BIGINT) AS ${name}` : `value ->> '${name}' AS ${name}`
    )} FROM listed) SELECT * FROM decoded) AS given`,
  // The largest amount has 78 digits. Leading spaces make the order of the text the order of the amounts.
  most: (column) => `MAX(printf('%78s', ${column}))`,
  // SQLite's integers have 64 bits, so the amounts are added when they are decoded.
  sum: (column) => `group_concat(${column}, '+')`,
  writeAll: (writes) => Effect.forEach(writes, (write) => sql.unsafe(...withParameters(unnumbered, write)))
})

const postgres = (sql: SqlClient.SqlClient): Dialect => ({
  ...postgresParts,
  transaction: sql.withTransaction,
  snapshot: transactionBy(sql, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
  // The names are locked in sorted order, so that two transactions that lock the same names cannot deadlock.
  lock: (names) =>
    Effect.forEach(names.toSorted(), (name) => sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`, {
      discard: true
    }),
  skipLocked: sql.literal("FOR UPDATE SKIP LOCKED"),
  lockRows: sql.literal("FOR UPDATE"),
  readBy: (select, column, decode, valueOf) =>
    Batch.make((values) => decode(sql.unsafe(`${select} WHERE ${column} = ANY($1)`, [values])), valueOf),
  most: (column) => `MAX(${column}::numeric)`,
  // One statement, which can also refer to the rows of a foreign key that another part inserts.
  writeAll: (writes) =>
    sql.unsafe(
      ...withParameters(numbered, (parameter) => {
        const parts = writes.map((write) => write(parameter))
        const last = parts.pop() ?? "SELECT 1"
        return parts.length === 0
          ? last
          : `WITH ${parts.map((part, index) => `part_${index} AS (${part})`).join(", ")} ${last}`
      })
    )
})

export const make = (sql: SqlClient.SqlClient): Dialect =>
  sql.onDialectOrElse({ pg: () => postgres(sql), orElse: () => sqlite(sql) })
