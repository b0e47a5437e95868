/** An `effect/sql` connection on top of a function that runs one statement. */
import * as Effect from "effect/Effect"
import type { Connection } from "effect/sql/SqlConnection"
import * as Stream from "effect/Stream"

/** Runs a statement and returns its rows, as objects or as arrays. */
export type Run = (
  sql: string,
  params: ReadonlyArray<unknown>,
  options: { readonly prepared: boolean; readonly arrays: boolean }
) => ReturnType<Connection["executeUnprepared"]>

/** Creates a connection. `executeRaw` returns the driver's own result. */
export const make = (run: Run, executeRaw: Connection["executeRaw"]): Connection => {
  const execute =
    (prepared: boolean): Connection["execute"] =>
    (sql, params, transformRows) => {
      const rows = run(sql, params, { prepared, arrays: false })
      return transformRows === undefined ? rows : Effect.map(rows, transformRows)
    }
  return {
    execute: execute(true),
    executeUnprepared: execute(false),
    executeRaw,
    executeValues: (sql, params) => run(sql, params, { prepared: true, arrays: true }),
    executeValuesUnprepared: (sql, params) => run(sql, params, { prepared: false, arrays: true }),
    executeStream: (sql, params, transformRows) => Stream.fromIterableEffect(execute(true)(sql, params, transformRows))
  }
}
