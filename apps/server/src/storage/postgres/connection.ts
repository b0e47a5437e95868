/** An `effect/sql` connection that uses one `pg` client. */
import * as Effect from "effect/Effect"
import type { Connection } from "effect/sql/SqlConnection"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import type { PoolClient, QueryResult } from "pg"
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

export interface PostgresConnection extends Connection {
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
  const run = <A>(
    sql: string,
    params: ReadonlyArray<unknown>,
    options: { readonly prepared: boolean; readonly arrays?: boolean },
    use: (result: QueryResult<never>) => A
  ): Effect.Effect<A, SqlError> =>
    Effect.uninterruptible(
      Effect.tryPromise({
        try: async () => {
          const query = { text: sql, values: [...params] }
          const send = (name: string | undefined): Promise<QueryResult<never>> => {
            const named = name === undefined ? query : { ...query, name }
            return options.arrays === true ? client.query({ ...named, rowMode: "array" }) : client.query(named)
          }
          const name = options.prepared ? nameOf(sql) : undefined
          try {
            return use(await send(name))
          } catch (cause) {
            if (name === undefined || !isOutdated(cause)) throw cause
            // All prepared statements on this connection are outdated. Run this statement unprepared, and drop the
            // connection.
            broken = true
            return use(await send(undefined))
          }
        },
        catch: (cause) => {
          if (isBroken(cause)) broken = true
          return sqlError(cause)
        }
      })
    )
  const execute =
    (prepared: boolean): Connection["execute"] =>
    (sql, params, transformRows) =>
      run(sql, params, { prepared }, ({ rows }) => (transformRows === undefined ? rows : transformRows(rows)))
  const values =
    (prepared: boolean): Connection["executeValues"] =>
    (sql, params) =>
      run(sql, params, { prepared, arrays: true }, ({ rows }) => rows)

  return {
    broken: () => broken,
    execute: execute(true),
    executeUnprepared: execute(false),
    executeRaw: (sql, params) => run(sql, params, { prepared: true }, (result) => result),
    executeValues: values(true),
    executeValuesUnprepared: values(false),
    executeStream: (sql, params, transformRows) => Stream.fromIterableEffect(execute(true)(sql, params, transformRows))
  }
}

/**
 * Commits the transaction, and checks the result. PostgreSQL reports success for COMMIT even if it rolled the
 * transaction back because of an earlier error that was ignored.
 */
export const commit = (connection: Connection) =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    (result as QueryResult).command === "COMMIT"
      ? Effect.void
      : Effect.fail(
          new SqlError({ reason: new ConnectionError({ cause: new Error("The commit ended in a rollback.") }) })
        )
  )
