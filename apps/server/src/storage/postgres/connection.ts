/** A connection of `effect/sql` on one client of `pg`. */
import * as Effect from "effect/Effect"
import type { Connection } from "effect/sql/SqlConnection"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import type { PoolClient, QueryResult } from "pg"
import { isBroken, isOutdated, sqlError } from "./errors.js"

/** How many statements are prepared. The store has about forty, and a few more by how many ids they take. */
const most = 256

/** Names for statements by their text, the same on every connection of a pool. */
export const makeNames = (): ((sql: string) => string | undefined) => {
  const names = new Map<string, string>()
  return (sql) => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= most) return known
    const name = `geoswap_${names.size}`
    names.set(sql, name)
    return name
  }
}

export interface PostgresConnection extends Connection {
  /** It failed in a way that leaves nothing to roll back, and nobody may use it again. */
  readonly broken: () => boolean
}

/** A statement goes to its end, which the database bounds: half an answer would be taken for the next one's. */
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
            // All that this connection has prepared is of yesterday: it does this one, and no more.
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

/** PostgreSQL answers COMMIT with success also where it rolled back, after an error that somebody ignored. */
export const commit = (connection: Connection): Effect.Effect<void, SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    (result as QueryResult).command === "COMMIT"
      ? Effect.void
      : Effect.fail(new SqlError({ reason: new ConnectionError({ cause: new Error("The commit was a rollback.") }) }))
  )
