/** An `effect/sql` connection that uses one `node:sqlite` database. */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import type { Connection } from "effect/sql/SqlConnection"
import { classifySqliteError, SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"

/**
 * Maximum number of prepared statements. The store uses about 30 statements, plus variants for different numbers of
 * ids.
 */
const maxStatements = 128

const bindable = (value: unknown) => {
  if (value === undefined) return null
  if (typeof value === "boolean") return value ? 1 : 0
  // The driver would treat an object as named parameters and store NULL.
  if (typeof value === "object" && value !== null && !ArrayBuffer.isView(value)) {
    throw new TypeError("SQLite cannot store an object. Pass a string.")
  }
  return value as SQLInputValue
}

/** The driver stores SQLite's error code in `errcode`; Effect reads it from `errno`. */
const sqlError = (cause: unknown) => {
  const numbered = cause instanceof Error && "errcode" in cause ? Object.assign(cause, { errno: cause.errcode }) : cause
  return new SqlError({ reason: classifySqliteError(numbered, { operation: "execute" }) })
}

/** A cache of prepared statements that evicts the least recently used one. */
const statementCache = (database: DatabaseSync) => {
  const statements = new Map<string, StatementSync>()
  return (sql: string): StatementSync => {
    const statement = statements.get(sql) ?? database.prepare(sql)
    statements.delete(sql)
    statements.set(sql, statement)
    for (const oldest of statements.keys()) {
      if (statements.size <= maxStatements) break
      statements.delete(oldest)
    }
    return statement
  }
}

/** Statements run synchronously, because `node:sqlite` is synchronous. */
export const make = (database: DatabaseSync): Connection => {
  const prepared = statementCache(database)
  const unprepared = (sql: string) => database.prepare(sql)

  const run = <A>(
    prepare: (sql: string) => StatementSync,
    sql: string,
    params: ReadonlyArray<unknown>,
    use: (statement: StatementSync, values: ReadonlyArray<SQLInputValue>) => A
  ): Effect.Effect<A, SqlError> => Effect.try({ try: () => use(prepare(sql), params.map(bindable)), catch: sqlError })

  const rows = (statement: StatementSync, values: ReadonlyArray<SQLInputValue>) => statement.all(...values)
  const arrays = (statement: StatementSync, values: ReadonlyArray<SQLInputValue>) => {
    statement.setReturnArrays(true)
    try {
      return statement.all(...values).map((row) => Object.values(row))
    } finally {
      statement.setReturnArrays(false)
    }
  }
  const execute =
    (prepare: (sql: string) => StatementSync): Connection["execute"] =>
    (sql, params, transformRows) =>
      Effect.map(run(prepare, sql, params, rows), (all) => (transformRows === undefined ? all : transformRows(all)))

  return {
    execute: execute(prepared),
    executeUnprepared: execute(unprepared),
    executeRaw: (sql, params) =>
      run(prepared, sql, params, (statement, values) =>
        statement.columns().length > 0 ? statement.all(...values) : statement.run(...values)
      ),
    executeValues: (sql, params) => run(prepared, sql, params, arrays),
    executeValuesUnprepared: (sql, params) => run(unprepared, sql, params, arrays),
    executeStream: (sql, params, transformRows) =>
      Stream.fromIterableEffect(execute(prepared)(sql, params, transformRows))
  }
}
