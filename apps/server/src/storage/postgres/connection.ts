/** An `effect/sql` connection that uses one `pg` client. */
import * as Effect from "effect/Effect"
import type * as SqlConnection from "effect/sql/SqlConnection"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import type { PoolClient, QueryResult } from "pg"
import * as Connection from "../connection.js"
import { isBroken, isOutdated, sqlError } from "./errors.js"

/**
 * Maximum number of prepared statements. The store uses about 40 statements, plus variants for different numbers of
 * ids.
 */
const maxStatements = 256

/** Assigns names to statements by their text. A statement has the same name on every connection in a pool. */
export const makeNames = (): ((sql: string) => string | undefined) => {
  const names = new Map<string, string>()
  return (sql) => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= maxStatements) return known
    const name = `geoswap_${names.size}`
    names.set(sql, name)
    return name
  }
}

export interface PostgresConnection extends SqlConnection.Connection {
  /**
   * Whether the connection has failed. If so, there is nothing to roll back, and the connection must not be used again.
   */
  readonly broken: () => boolean
}

/**
 * Creates a connection. Its statements run to completion or time out, and are never interrupted. Otherwise, a partial
 * result could be mistaken for the next statement's result.
 */
export const make = (client: PoolClient, nameOf: (sql: string) => string | undefined): PostgresConnection => {
  let broken = false
  const query = (...[sql, params, { arrays, prepared }]: Parameters<Connection.Run>) =>
    Effect.uninterruptible(
      Effect.tryPromise({
        try: async () => {
          const statement = { text: sql, values: [...params], ...(arrays && { rowMode: "array" }) }
          const send = (name: string | undefined): Promise<QueryResult<never>> =>
            client.query(name === undefined ? statement : { ...statement, name })
          const name = prepared ? nameOf(sql) : undefined
          try {
            return await send(name)
          } catch (cause) {
            if (name === undefined || !isOutdated(cause)) throw cause
            // All prepared statements on this connection are outdated. Run this statement unprepared, and drop the
            // connection.
            broken = true
            return await send(undefined)
          }
        },
        catch: (cause) => {
          if (isBroken(cause)) broken = true
          return sqlError(cause)
        }
      })
    )
  const connection = Connection.make(
    (...statement) => Effect.map(query(...statement), ({ rows }) => rows),
    (sql, params) => query(sql, params, { prepared: true, arrays: false })
  )
  return { ...connection, broken: () => broken }
}

/**
 * Commits the transaction, and checks the result. PostgreSQL reports success for COMMIT even if it rolled the
 * transaction back because of an earlier error that was ignored.
 */
export const commit = (connection: SqlConnection.Connection) =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    (result as QueryResult).command === "COMMIT"
      ? Effect.void
      : Effect.fail(
          new SqlError({ reason: new ConnectionError({ cause: new Error("The commit ended in a rollback.") }) })
        )
  )
