/** The cost of claiming and reading with few and with many swaps, and the query plans. */
import { Postgres, Sqlite } from "@geoswap/server"
import { SqlStore, Store } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import * as Statement from "effect/sql/Statement"
import { type Bench, noPostgres } from "../context.ts"
import { type Database, fill, idOf } from "../database.ts"
import { goal, median, type Section } from "../../../../tooling/bench/report.ts"

const clientOf = (database: Database): Layer.Layer<SqlClient.SqlClient, Sqlite.SqliteError | Postgres.PostgresError> =>
  database.kind === "sqlite"
    ? Sqlite.layer({ path: database.path })
    : Postgres.layer({ url: Redacted.make(database.url) })

const layerOf = (database: Database) => SqlStore.layer.pipe(Layer.provideMerge(clientOf(database)))

/** How many swaps can be claimed. */
const free = 100

const timed = Effect.fnUntraced(function* <A, E, F>(
  times: number,
  effect: Effect.Effect<A, E>,
  undo: Effect.Effect<unknown, F>
) {
  const took: Array<number> = []
  for (let index = 0; index < times + 3; index++) {
    const began = performance.now()
    yield* effect
    if (index >= 3) took.push(performance.now() - began)
    yield* undo
  }
  return median(took)
})

/** Milliseconds of claiming and reading, and the plan of the claim. */
const measure = (times: number, swaps: number) =>
  Effect.gen(function* () {
    const store = yield* Store.Store
    const sql = yield* SqlClient.SqlClient
    const claim = store.claim({ owner: "bench", leaseMillis: 60_000, limit: free })
    const letGo = sql`UPDATE swaps SET lease_owner = NULL, lease_until = NULL WHERE lease_owner = 'bench'`
    let at = 0
    const claiming = yield* timed(times, claim, letGo)
    const reading = yield* timed(
      times * 5,
      Effect.suspend(() => store.swap(idOf(at++ % swaps))),
      Effect.void
    )
    const statements: Array<readonly [string, ReadonlyArray<unknown>]> = []
    yield* Effect.provideService(claim, Statement.CurrentTransformer, (statement) =>
      Effect.sync(() => {
        statements.push(statement.compile())
        return statement
      })
    )
    yield* letGo
    const [text, params] = statements[0] ?? ["", []]
    const explain = sql.onDialectOrElse({ pg: () => "EXPLAIN (COSTS OFF)", orElse: () => "EXPLAIN QUERY PLAN" })
    const plan = yield* sql.unsafe<Record<string, unknown>>(`${explain} ${text}`, [...params])
    const lines = plan.map((line) => String(line["QUERY PLAN"] ?? line["detail"]).trimEnd())
    return { claiming, reading, lines }
  })

/** Measures claiming and reading. */
export const rows = async ({ postgres, quick, fixture }: Bench): Promise<Section> => {
  const sizes = quick ? [100, 1_000] : [100, 1_000, 10_000, 100_000]
  const times = quick ? 5 : 30
  const cluster = await postgres()
  const table: Array<ReadonlyArray<string | number>> = []
  const notes: Array<string> = []
  const goals = []
  const engines = cluster === undefined ? (["SQLite"] as const) : (["SQLite", "PostgreSQL"] as const)
  for (const engine of engines) {
    for (const others of ["over", "held by others"] as const) {
      const figures: Array<{ readonly claiming: number; readonly reading: number }> = []
      for (const count of sizes) {
        const database: Database =
          engine === "PostgreSQL" && cluster !== undefined
            ? { kind: "postgres", url: await cluster.newDatabase() }
            : fixture.newFile()
        const { accountId } = await fixture.newKey(database)
        const leased = others === "held by others"
        await fill(database, { accountId, count, state: leased ? "accepted" : "settled", leased })
        await fill(database, { accountId, count: free, from: count, state: "accepted" })
        const measured = measure(times, count).pipe(Effect.provide(layerOf(database)), Effect.orDie)
        const { claiming, lines, reading } = await Effect.runPromise(measured)
        figures.push({ claiming, reading })
        table.push([`${engine}: ${count.toLocaleString("en-US")} swaps are ${others}`, claiming, reading])
        if (count === sizes.at(-1))
          notes.push(`${engine}, claiming beside ${count} that are ${others}: ${lines.join(" / ")}`)
      }
      const [least, most] = [figures[0], figures.at(-1)]
      if (least === undefined || most === undefined) continue
      const growth = `${engine}, ${others}: from ${sizes[0]} to ${sizes.at(-1)} rows,`
      goals.push(goal(`${growth} claiming takes`, "≤", 2, most.claiming / least.claiming, " ×"))
      goals.push(goal(`${growth} status takes`, "≤", 2, most.reading / least.reading, " ×"))
    }
  }
  return {
    title: "Claiming and status by the number of swaps",
    columns: ["", `claim of ${free}, ms`, "read of one, ms"],
    rows: table,
    notes: [
      `Medians of ${times} claims of the ${free} newest swaps, the only unclaimed ones, and of ${times * 5} reads.`,
      ...notes,
      ...(cluster === undefined ? [noPostgres] : [])
    ],
    goals
  }
}
