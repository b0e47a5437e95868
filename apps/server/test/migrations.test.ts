import { readFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { Client } from "pg"
import * as SqlStore from "../../../packages/service/src/store/SqlStore.js"
import { Store } from "../../../packages/service/src/store/Store.js"
import { isTerminal, type State, states } from "../../../packages/service/src/store/SwapRecord.js"
import {
  attempt,
  bytes,
  held,
  order,
  plenty,
  relayer,
  wallet
} from "../../../packages/service/src/testing/storeContract/fixture.js"
import * as Postgres from "../src/storage/Postgres.js"
import * as Sqlite from "../src/storage/Sqlite.js"
import { programs, shared } from "./postgres/cluster.js"
import { newPath } from "./sqlite/folder.js"

/** A database of the first version, with a swap in every state, `swap-1` to `swap-11`, and one of Solana. */
const first = (engine: "postgres" | "sqlite") =>
  readFileSync(new URL(`../../../packages/service/test/store/fixtures/0001.${engine}.sql`, import.meta.url), "utf8")

/** What that version stored for an order: its operations all had the same nonce. */
const stored = (number: number) => ({ ...order(number), operation: { ...order(0).operation } })

const hashes: Readonly<Partial<Record<State, object>>> = {
  settled: { originTxHash: "0xorigin7", deliveryTxHash: "0xdelivery7" },
  failed: { failureCode: "REVERTED" },
  refunded: { originTxHash: "0xorigin11", refundTxHash: "0xrefund11", failureCode: "REVERTED" }
}

/** How many transactions of each kind were signed before a state. */
const signed = (state: State) => ({
  collect: state === "accepted" ? 0 : 1,
  deliver: ["delivery_prepared", "delivery_sent", "settled"].includes(state) ? 1 : 0,
  refund: state.startsWith("refund") ? 1 : 0
})

/** Every migration in order, each once. */
const expectOnce = (versions: ReadonlyArray<object>) => {
  expect(versions.length).toBeGreaterThan(1)
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
  expect(yield* sql`SELECT migration_id FROM geoswap_migrations WHERE migration_id > 4`).toEqual([])
  expect(yield* sql`SELECT * FROM limit_demand`).toEqual([])
  expect(yield* sql`SELECT swap_id FROM swap_details WHERE origin_block IS NOT NULL`).toEqual([])
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

/** Drops the triggers that keep the totals of the reservations. On PostgreSQL, they depend on their functions. */
const dropTriggers = (sql: SqlClient.SqlClient) => {
  const triggers = ["geoswap_reservations_added", "geoswap_reservations_removed"]
  return sql.onDialectOrElse({
    pg: () =>
      Effect.andThen(
        Effect.forEach(triggers, (name) => sql`DROP FUNCTION ${sql(name)} CASCADE`),
        Effect.andThen(sql`DROP FUNCTION geoswap_acceptance_facts`, sql`DROP TABLE released_reservations`)
      ),
    orElse: () => Effect.forEach(triggers, (name) => sql`DROP TRIGGER ${sql(name)}`)
  })
}

/** Reverts all additive changes to a database of the previous version. */
const withoutAdditions = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  yield* dropTriggers(sql)
  yield* Effect.forEach(
    [
      "limit_demand",
      "swap_details",
      "operation_nonces",
      "reverted_collects",
      "swap_payments",
      "delegation_attempts",
      "delegation_changes",
      "reservation_totals",
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
        yield* store.accept(order(21), plenty)
        yield* withoutAdditions(sql)
      })
    )
    yield* Effect.scoped(
      Effect.gen(function* () {
        const { sql, store } = yield* storeOn(client())
        yield* expectAdded(sql)
        expect(yield* store.list({ limit: 100 })).toHaveLength(1)
        // The totals include the reservations from before.
        expect(yield* store.reserved).toMatchObject([{ chainId: 31_338, amount: 4n }])
        yield* sql`INSERT INTO geoswap_additions (migration_id, name) VALUES (9999, 'of_tomorrow')`
      })
    )
    const { sql, store } = yield* storeOn(client())
    expect((yield* additionsOf(sql)).at(-1)).toMatchObject({ migration_id: 9999 })
    expect(yield* store.list({ limit: 100 })).toHaveLength(1)
  })

/** The migrated database of the current version. */
const expectUpToDate = Effect.fnUntraced(function* (store: Store, sql: SqlClient.SqlClient) {
  expectOnce(yield* sql`SELECT migration_id, name FROM geoswap_migrations ORDER BY migration_id`)
  yield* expectAdded(sql)

  // Everything is read as it was written.
  for (const [index, state] of states.entries()) {
    const number = index + 1
    const swap = yield* Effect.flatMap(store.swapOfOrder(bytes(number)), Effect.fromOption)
    expect(swap).toMatchObject({ ...stored(number), state, ...hashes[state] })
    expect(swap).not.toHaveProperty("trace")
    expect(swap).not.toHaveProperty("paidAmount")
    const events = yield* store.events(swap.id)
    expect(swap.collectedAt).toBe(events.find((event) => event.state === "origin_final")?.at)
    expect(events.map(({ version }) => version)).toEqual(Array.from({ length: swap.version + 1 }, (_, each) => each))
    expect(events.at(-1)?.state).toBe(state)
    for (const kind of ["collect", "deliver", "refund"] as const) {
      expect(yield* store.attempts(swap.id, kind)).toHaveLength(signed(state)[kind])
    }
  }
  const onSolana = yield* Effect.flatMap(store.swap("swap-12"), Effect.fromOption)
  expect(onSolana).toMatchObject({
    amount: 2n ** 255n,
    opensAccount: true,
    operation: { _tag: "solana", transaction: "AQID", lastValidBlockHeight: "9007199254740993" }
  })
  expect(yield* store.accounts).toMatchObject([{ name: "Ada" }])
  expect((yield* store.apiKeys).map(({ id, revokedAt }) => [id, revokedAt !== undefined])).toEqual([
    ["k1", false],
    ["k2", true]
  ])
  expect(yield* store.nextOperationNonce(31_337, wallet)).toBe(3n)
  expect(yield* store.nextNonce(31_337, relayer)).toBe(18)

  // Open swaps continue: they can be claimed, and the next transaction has the next nonce.
  const open = states.filter((state) => !isTerminal(state))
  expect((yield* store.underway).map(({ count }) => count).reduce((sum, count) => sum + count)).toBe(open.length + 1)
  expect(yield* store.reserved).toMatchObject([{ chainId: 31_338, amount: 4n * 7n }])
  const claimed = yield* store.claim({ owner: "a-newer-server", leaseMillis: 15_000, limit: 100 })
  expect(claimed.map(({ state }) => state)).toEqual([...open, "accepted"])
  for (const [index, swap] of claimed.entries()) {
    const nonce = yield* store.nextNonce(31_337, relayer)
    const intent = {
      kind: "refund",
      chainId: 31_337,
      signer: relayer,
      attempt: attempt(500 + index, { nonce })
    } as const
    const change = { owner: "a-newer-server", detail: "by a newer server", failureCode: "REVERTED" }
    const sent = yield* store.change({ ...change, swap, to: "refund_sent", intent })
    expect(sent).toEqual({
      ...swap,
      state: "refund_sent",
      version: swap.version + 1,
      updatedAt: sent.updatedAt,
      reserved: false,
      failureCode: "REVERTED"
    })
    yield* store.change({ ...change, swap: sent, to: "refunded", refundTxHash: "0xback" })
  }
  expect(yield* store.underway).toEqual([])
  expect(yield* store.reserved).toEqual([])
  expect(yield* store.list({ limit: 100 })).toHaveLength(12)

  // Finished swaps are unchanged, and a replay finds them.
  const again = yield* store.accept(order(7, { id: "again" }), { balance: held(0n), inventory: held(0n) })
  expect(again).toMatchObject({ _tag: "Existing", swap: { id: "swap-7", state: "settled", ...hashes.settled } })
  const trace = `00-${"4b".repeat(16)}-${"00f0".repeat(4)}-01`
  yield* store.accept(order(20, { trace }), plenty)
  expect(Option.map(yield* store.swap("swap-20"), (swap) => swap.trace)).toEqual(Option.some(trace))
})

const storeOn = <E>(client: Layer.Layer<SqlClient.SqlClient, E>) =>
  Effect.map(Layer.build(Layer.fresh(SqlStore.layer.pipe(Layer.provideMerge(client)))), (context) => ({
    store: Context.get(context, Store),
    sql: Context.get(context, SqlClient.SqlClient)
  }))

/** Reverts the newest migration, to a database of the previous version. */
const before = (sql: SqlClient.SqlClient) =>
  Effect.all([sql`DROP TABLE releases`, sql`DELETE FROM geoswap_migrations WHERE name = 'releases'`])

/** A server of the previous version releases without a block while this one accepts. */
const expectBesideOld = Effect.fnUntraced(function* (store: Store, sql: SqlClient.SqlClient) {
  expectOnce(yield* sql`SELECT migration_id, name FROM geoswap_migrations ORDER BY migration_id`)
  yield* sql`UPDATE swaps SET state = 'settled', version = version + 1 WHERE id = 'swap-21'`
  yield* sql`DELETE FROM reservations WHERE swap_id = 'swap-21'`
  const [swap] = yield* store.claim({ owner: "a-newer-server", leaseMillis: 15_000, limit: 1 })
  if (swap === undefined) return expect.unreachable()
  const change = { owner: "a-newer-server", detail: "by a newer server" }
  yield* store.change({ ...change, swap, to: "settled", block: 100n })
  expect(yield* store.accept(order(23), plenty)).toMatchObject({ _tag: "Outdated", inventorySince: 100n })
  const newer = { ...plenty, inventory: held(plenty.inventory.amount, 100n) }
  expect((yield* store.accept(order(23), newer))._tag).toBe("Inserted")
})

/** Opens a database twice: first as the previous version left it, then with this version. */
const twice = <E>(client: () => Layer.Layer<SqlClient.SqlClient, E>) =>
  Effect.gen(function* () {
    yield* Effect.scoped(
      Effect.gen(function* () {
        const { sql, store } = yield* storeOn(client())
        for (const number of [21, 22]) yield* store.accept(order(number), plenty)
        yield* before(sql)
      })
    )
    const { sql, store } = yield* storeOn(client())
    yield* expectBesideOld(store, sql)
  })

describe("database of the first version", () => {
  it.live("works with this version on SQLite", () =>
    Effect.gen(function* () {
      const path = yield* newPath
      const file = new DatabaseSync(path)
      file.exec(first("sqlite"))
      file.close()
      const { sql, store } = yield* storeOn(Sqlite.layer({ path }))
      yield* expectUpToDate(store, sql)
    })
  )
})

describe("database of the previous version", () => {
  it.live("works with this version beside a server of the previous one on SQLite", () =>
    Effect.flatMap(newPath, (path) => twice(() => Sqlite.layer({ path })))
  )

  it.live("gets the additive changes, and keeps those of a newer version, on SQLite", () =>
    Effect.flatMap(newPath, (path) => addTwice(() => Sqlite.layer({ path })))
  )
})

describe.skipIf(programs === undefined)("PostgreSQL database", () => {
  const postgres = shared()
  const clientOf = (url: string) => Postgres.layer({ url: Redacted.make(url), connections: 2 })

  it.live("of the first version works with this version", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => postgres().newDatabase())
      yield* Effect.promise(() => postgres().query(url, first("postgres")))
      const { sql, store } = yield* storeOn(clientOf(url))
      yield* expectUpToDate(store, sql)
    })
  )

  it.live("of the previous version works with this version beside a server of the previous one", () =>
    Effect.flatMap(
      Effect.promise(() => postgres().newDatabase()),
      (url) => twice(() => clientOf(url))
    )
  )

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
        expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(["swaps", "tx_attempts", "reservations"]))
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

  it.live.each(["empty", "of the first version"])(
    "that is %s is migrated once by ten servers that start at the same time",
    (was) =>
      Effect.gen(function* () {
        const url = yield* Effect.promise(() => postgres().newDatabase())
        if (was !== "empty") yield* Effect.promise(() => postgres().query(url, first("postgres")))
        const all = yield* Effect.all(
          Array.from({ length: 10 }, () => storeOn(clientOf(url))),
          { concurrency: "unbounded" }
        )
        const ends = yield* Effect.forEach(all, ({ store }) => store.list({ limit: 100 }), { concurrency: "unbounded" })
        expect(ends.map((swaps) => swaps.length)).toEqual(all.map(() => (was === "empty" ? 0 : 12)))
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
