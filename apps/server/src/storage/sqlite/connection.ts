/** An `effect/sql` connection that uses one `node:sqlite` database. */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import { classifySqliteError, SqlError } from "effect/sql/SqlError"
import * as Connection from "../connection.js"

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
export const make = (database: DatabaseSync) => {
  const cached = statementCache(database)
  const attempt = <A>(run: () => A) => Effect.try({ try: run, catch: sqlError })
  return Connection.make(
    (sql, params, { arrays, prepared }) =>
      attempt(() => {
        const statement = prepared ? cached(sql) : database.prepare(sql)
        const values = params.map(bindable)
        if (!arrays) return statement.all(...values)
        statement.setReturnArrays(true)
        try {
          return statement.all(...values).map((row) => Object.values(row))
        } finally {
          statement.setReturnArrays(false)
        }
      }),
    (sql, params) =>
      attempt(() => {
        const statement = cached(sql)
        const values = params.map(bindable)
        return statement.columns().length > 0 ? statement.all(...values) : statement.run(...values)
      })
  )
}
