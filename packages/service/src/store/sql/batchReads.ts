/** Batches concurrent reads of a few rows into one statement. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Group from "./groupCalls.js"

/**
 * Creates a batched read. Without batching, thousands of requests that wake up at once would each wait for one of ten
 * connections. A batch starts only after its reads have been requested, so its results are as fresh as those of
 * separate reads. The limit on concurrent statements, which Effect's `RequestResolver` does not support, keeps
 * connections free for other work. A batch belongs to no trace, because it belongs to many requests.
 */
export const make = <A, E>(
  read: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<A>, E>,
  idOf: (row: A) => string
): ((id: string) => Effect.Effect<ReadonlyArray<A>, E>) =>
  Group.make(
    (ids: ReadonlyArray<string>) =>
      Effect.map(Effect.exit(Effect.withTracerEnabled(read([...new Set(ids)]), false)), (exit) => {
        const found = new Map(ids.map((id): [string, Array<A>] => [id, []]))
        if (Exit.isSuccess(exit)) for (const row of exit.value) found.get(idOf(row))?.push(row)
        return ids.map((id) => Exit.map(exit, () => found.get(id) ?? []))
      }),
    { calls: 500, groups: 2 }
  )
