import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { Client } from "pg"
import * as SqlStore from "../../../../packages/service/src/store/SqlStore.js"
import { Store } from "../../../../packages/service/src/store/Store.js"
import { accept, order, plenty } from "../../../../packages/service/src/testing/storeContract/fixture.js"
import * as Postgres from "../../src/storage/Postgres.js"
import * as Sqlite from "../../src/storage/Sqlite.js"
import { programs, shared } from "../stack/postgres/cluster.js"
import { newPath } from "./sqlite/folder.js"

/** Every migration in order, each once. */
const expectOnce = (versions: ReadonlyArray<object>) => {
  expect(versions.length).toBeGreaterThan(0)
  expect(versions).toMatchObject(versions.map((_, index) => ({ migration_id: index + 1 })))
  expect(versions[0]).toMatchObject({ name: "first" })
}

/** The additive changes of a database in order. */
const additionsOf = (sql: SqlClient.SqlClient) =>
  sql`SELECT migration_id, name FROM geoswap_additions ORDER BY migration_id`

/** Every additive change once, and no migration that a server of the previous version would refuse. */
const expectAdded = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const added = yield* additionsOf(sql)
  expect(added.length).toBeGreaterThan(0)
  expect(added).toMatchObject(added.map((_, index) => ({ migration_id: index + 1 })))
  expect(yield* sql`SELECT migration_id FROM geoswap_migrations WHERE migration_id > 1`).toEqual([])
  expect(yield* sql`SELECT * FROM limit_demand`).toEqual([])
  expect(yield* sql`SELECT swap_id FROM operation_nonces`).toEqual([])
  expect(yield* sql`SELECT swap_id FROM reverted_collects`).toEqual([])
  expect(yield* sql`SELECT swap_id FROM swap_payments`).toEqual([])
  expect(yield* sql`SELECT id FROM delegation_changes`).toEqual([])
  expect(yield* sql`SELECT change_id FROM delegation_attempts`).toEqual([])
  expect(yield* sql`SELECT relayer FROM retired_relayers`).toEqual([])
  expect(yield* sql`SELECT swap_id FROM lost_collections`).toEqual([])
  expect(yield* sql`SELECT nonce FROM batches`).toEqual([])
  expect(yield* sql`SELECT swap_id FROM batch_items`).toEqual([])
  expect(yield* sql`SELECT swap_id FROM spent_gas`).toEqual([])
})

/** Drops the functions of PostgreSQL, with the triggers that depend on them. The triggers of SQLite belong to their tables. */
const dropFunctions = (sql: SqlClient.SqlClient) => {
  const functions = ["geoswap_claims_added", "geoswap_claims_removed", "geoswap_claimed", "geoswap_acceptance_facts"]
  return sql.onDialectOrElse({
    pg: () =>
      Effect.andThen(
        Effect.forEach(functions, (name) => sql`DROP FUNCTION ${sql(name)} CASCADE`, { discard: true }),
        Effect.asVoid(sql`DROP TABLE claim_changes`)
      ),
    orElse: () => Effect.void
  })
}

/** Reverts all additive changes to a database of the previous version. */
const withoutAdditions = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  yield* dropFunctions(sql)
  yield* Effect.forEach(
    [
      "limit_demand",
      "operation_nonces",
      "reverted_collects",
      "swap_payments",
      "delegation_attempts",
      "delegation_changes",
      "claims",
      "releases",
      "claim_totals",
      "retired_relayers",
      "lost_collections",
      "batches",
      "batch_items",
      "spent_gas",
      "geoswap_additions"
    ],
    (table) => sql`DROP TABLE ${sql(table)}`
  )
})

/** Opens a database of the previous version, and then one with an additive change of a newer version. */
const addTwice = <E>(client: () => Layer.Layer<SqlClient.SqlClient, E>) =>
  Effect.gen(function* () {
    yield* Effect.scoped(
      Effect.gen(function* () {
        const { sql, store } = yield* storeOn(client())
        yield* accept(store, order(21), plenty)
        yield* withoutAdditions(sql)
      })
    )
    yield* Effect.scoped(
      Effect.gen(function* () {
        const { sql, store } = yield* storeOn(client())
        yield* expectAdded(sql)
        expect(yield* store.list({ limit: 100 })).toHaveLength(1)
        yield* sql`INSERT INTO geoswap_additions (migration_id, name) VALUES (9999, 'of_tomorrow')`
      })
    )
    const { sql, store } = yield* storeOn(client())
    expect((yield* additionsOf(sql)).at(-1)).toMatchObject({ migration_id: 9999 })
    expect(yield* store.list({ limit: 100 })).toHaveLength(1)
  })

const storeOn = <E>(client: Layer.Layer<SqlClient.SqlClient, E>) =>
  Effect.map(Layer.build(Layer.fresh(SqlStore.layer.pipe(Layer.provideMerge(client)))), (context) => ({
    store: Context.get(context, Store),
    sql: Context.get(context, SqlClient.SqlClient)
  }))

describe("database of the previous version", () => {
  it.live("gets the additive changes, and keeps those of a newer version, on SQLite", () =>
    Effect.flatMap(newPath, (path) => addTwice(() => Sqlite.layer({ path })))
  )
})

describe.skipIf(programs === undefined)("PostgreSQL database", () => {
  const postgres = shared()
  const clientOf = (url: string) => Postgres.layer({ url: Redacted.make(url), connections: 2 })

  it.live("of the previous version gets the additive changes, and keeps those of a newer version", () =>
    Effect.flatMap(
      Effect.promise(() => postgres().newDatabase()),
      (url) => addTwice(() => clientOf(url))
    )
  )

  it.live(
    "keeps every table compatible with statements that a running server of the previous version has prepared",
    () =>
      Effect.gen(function* () {
        const url = yield* Effect.promise(() => postgres().newDatabase())
        yield* Effect.scoped(Effect.flatMap(storeOn(clientOf(url)), ({ sql }) => withoutAdditions(sql)))
        const previous = yield* Effect.acquireRelease(
          Effect.promise(async () => {
            const client = new Client({ connectionString: url })
            await client.connect()
            return client
          }),
          (client) => Effect.promise(() => client.end())
        )
        const { rows: tables } = yield* Effect.promise(() =>
          previous.query<{ readonly name: string }>(
            "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
          )
        )
        expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(["swaps", "tx_attempts", "tx_intents"]))
        const readAll = async () => {
          for (const { name } of tables) await previous.query({ name, text: `SELECT * FROM ${name}` })
        }
        yield* Effect.promise(readAll)
        const { sql } = yield* storeOn(clientOf(url))
        yield* expectAdded(sql)
        // A statement that fails in a transaction cannot be repeated.
        yield* Effect.promise(async () => {
          await previous.query("BEGIN")
          await readAll()
          await previous.query("COMMIT")
        })
      })
  )

  it.live("is migrated once by ten servers that start at the same time", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => postgres().newDatabase())
      const all = yield* Effect.all(
        Array.from({ length: 10 }, () => storeOn(clientOf(url))),
        { concurrency: "unbounded" }
      )
      const ends = yield* Effect.forEach(all, ({ store }) => store.list({ limit: 100 }), { concurrency: "unbounded" })
      expect(ends.map((swaps) => swaps.length)).toEqual(all.map(() => 0))
      const versions = yield* Effect.promise(() =>
        postgres().query(url, "SELECT migration_id, name FROM geoswap_migrations ORDER BY migration_id")
      )
      expectOnce(versions)
      for (const { sql } of all) yield* expectAdded(sql)
    })
  )

  it.live("of a newer version is refused and unchanged", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => postgres().newDatabase())
      yield* Effect.scoped(storeOn(clientOf(url)))
      yield* Effect.promise(() =>
        postgres().query(url, "INSERT INTO geoswap_migrations (migration_id, name) VALUES (9999, 'of_tomorrow')")
      )
      const error = yield* Effect.flip(storeOn(clientOf(url)))
      expect(error).toMatchObject({
        _tag: "StoreUnavailable",
        message: "This database was written by a newer version of the service. Run that version."
      })
    })
  )
})
