import { describe, expect, it } from "@effect/vitest"
import { SqlStore, Store } from "@geoswap/service"
import { StoreFixture, Tables } from "@geoswap/service/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { readFileSync } from "node:fs"
import * as Postgres from "../../src/storage/Postgres.js"
import * as Sqlite from "../../src/storage/Sqlite.js"
import { programs, shared } from "../stack/postgres/cluster.js"
import { newPath } from "./sqlite/folder.js"

const { accept, order, plenty } = StoreFixture

/** Every migration in order, each once. */
const expectOnce = (versions: ReadonlyArray<object>) => {
  expect(versions.length).toBeGreaterThan(0)
  expect(versions).toMatchObject(versions.map((_, index) => ({ migration_id: index + 1 })))
  expect(versions[0]).toMatchObject({ name: "first" })
}

const storeOn = <E>(client: Layer.Layer<SqlClient.SqlClient, E>) =>
  Effect.map(Layer.build(Layer.fresh(SqlStore.layer.pipe(Layer.provideMerge(client)))), (context) => ({
    store: Context.get(context, Store.Store),
    sql: Context.get(context, SqlClient.SqlClient)
  }))

/**
 * The start of upgrades: the tables of the last released version, with its migrations. Until there is a release, it is the
 * first migration, and `vitest -u` moves it with each change.
 */
const start = { migration_id: 1, name: "first" }
const startOf = (engine: "postgres" | "sqlite") => new URL(`start/${engine}.sql`, import.meta.url).pathname
const textOf = (statements: ReadonlyArray<string>) => statements.map((statement) => `${statement};\n`).join("\n")
const statementsOf = (engine: "postgres" | "sqlite") =>
  readFileSync(startOf(engine), "utf8")
    .split(/;\n(?:\n|$)/)
    .slice(0, -1)

/** The tables, indexes, functions and triggers of a database. */
const schemaOf = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    pg: () => sql`SELECT table_name || ' ' || ordinal_position AS name, column_name || ' ' || data_type || is_nullable AS sql
        FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'geoswap_migrations'
      UNION ALL SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
      UNION ALL SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
      UNION ALL SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE tgisinternal = false
      UNION ALL SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid::regclass::text <> 'geoswap_migrations'
        AND connamespace = 'public'::regnamespace
      ORDER BY name, sql`,
    orElse: () => sql`SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'geoswap_%' ORDER BY name`
  })

/** Creates the tables of the start, with a swap. */
const createStart = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const engine = sql.onDialectOrElse({ pg: () => "postgres" as const, orElse: () => "sqlite" as const })
  for (const statement of statementsOf(engine)) yield* sql.unsafe(statement).unprepared
  yield* sql`CREATE TABLE geoswap_migrations (
    migration_id INTEGER PRIMARY KEY, created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, name TEXT NOT NULL)`
  yield* sql`INSERT INTO geoswap_migrations ${sql.insert(start)}`
  yield* sql`INSERT INTO swaps (id, account_id, order_id, operation_hash, origin_chain, destination_chain, input_token,
      output_token, wallet, wallet_key, recipient, amount, output, min_output, terms, fee_bps, network_cost, opens_account,
      operation, operation_nonce, quoted_at, created_at, state, version, updated_at)
    VALUES ('swap-1', 'account-1', 'order', 'hash', 1, 2, '0xa', '0xb', '0xC', '0xc', '0xC', '10', '4', '3', 'terms', 12.5, '1',
      0, ${JSON.stringify(order(1).operation)}, '1', 5, 6, 'origin_final', 3, 7)`
})

/** Upgrades a database of the start, and compares it with a new one. */
const upgrade = <E>(old: Layer.Layer<SqlClient.SqlClient, E>, empty: Layer.Layer<SqlClient.SqlClient, E>) =>
  Effect.gen(function* () {
    yield* Effect.scoped(
      Effect.flatMap(Layer.build(Layer.fresh(old)), (context) => createStart(Context.get(context, SqlClient.SqlClient)))
    )
    const [upgraded, fresh] = [yield* storeOn(old), yield* storeOn(empty)]
    const schema = yield* schemaOf(upgraded.sql)
    expect(schema.length).toBeGreaterThan(20)
    expect(schema).toEqual(yield* schemaOf(fresh.sql))
    expect(yield* upgraded.store.list({ limit: 10 })).toMatchObject([
      { id: "swap-1", state: "origin_final", amount: 10n }
    ])
    expect(yield* accept(upgraded.store, order(2), plenty)).toMatchObject({ _tag: "Inserted" })
  })

/** Opens a database to which a newer version has added a table. */
const openWithAddition = <E>(client: () => Layer.Layer<SqlClient.SqlClient, E>) =>
  Effect.gen(function* () {
    yield* Effect.scoped(
      Effect.gen(function* () {
        const { sql, store } = yield* storeOn(client())
        yield* accept(store, order(21), plenty)
        yield* sql`CREATE TABLE of_tomorrow (id TEXT)`
        yield* sql`INSERT INTO geoswap_migrations (migration_id, name) VALUES (9999, 'add_of_tomorrow')`
      })
    )
    const { store } = yield* storeOn(client())
    expect(yield* store.list({ limit: 100 })).toHaveLength(1)
  })

describe("the start of upgrades", () => {
  it.each(["sqlite", "postgres"] as const)("is the first migration on %s", async (engine) => {
    await expect(textOf(Tables.first[engine])).toMatchFileSnapshot(startOf(engine))
  })
})

describe("SQLite database", () => {
  it.live("of the start gets the tables of a new one, and keeps its swaps", () =>
    Effect.flatMap(Effect.all([newPath, newPath]), ([old, empty]) =>
      upgrade(Sqlite.layer({ path: old }), Sqlite.layer({ path: empty }))
    )
  )

  it.live("is opened if a newer version has only added to it", () =>
    Effect.flatMap(newPath, (path) => openWithAddition(() => Sqlite.layer({ path })))
  )
})

describe.skipIf(programs === undefined)("PostgreSQL database", () => {
  const postgres = shared()
  const clientOf = (url: string) => Postgres.layer({ url: Redacted.make(url), connections: 2 })
  const newDatabase = Effect.promise(() => postgres().newDatabase())

  it.live("of the start gets the tables of a new one, and keeps its swaps", () =>
    Effect.flatMap(Effect.all([newDatabase, newDatabase]), ([old, empty]) => upgrade(clientOf(old), clientOf(empty)))
  )

  it.live("is opened if a newer version has only added to it", () =>
    Effect.flatMap(newDatabase, (url) => openWithAddition(() => clientOf(url)))
  )

  it.live("is migrated once by ten servers that start at the same time", () =>
    Effect.gen(function* () {
      const url = yield* newDatabase
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
    })
  )

  it.live("of a newer version is refused and unchanged", () =>
    Effect.gen(function* () {
      const url = yield* newDatabase
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
