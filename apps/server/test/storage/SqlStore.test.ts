import { describe, expect, it } from "@effect/vitest"
import { SqlStore, Store } from "@geoswap/service"
import { StoreFixture, storeContract } from "@geoswap/service/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as Statement from "effect/sql/Statement"
import { copyFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import * as Sqlite from "../../src/storage/Sqlite.js"
import { newPath } from "./sqlite/folder.js"
import { sqlStoreContract } from "./sqlStoreContract.js"

const { attempt, bytes, order, plenty, relayer, to, underWay, accept } = StoreFixture

const file = Layer.unwrap(Effect.map(newPath, (path) => Sqlite.layer({ path })))

describe("a store on a file of SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "geoswap-store-"))
  const empty = join(folder, "empty.db")
  const tables = SqlStore.layer.pipe(Layer.provide(Sqlite.layer({ path: empty })))
  beforeAll(() => Effect.runPromise(Effect.scoped(Layer.build(tables))))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  // Creating the tables takes longer than most cases: each case starts with a copy of the empty tables. Nothing needs to
  // survive a power failure.
  const copied = Layer.effect(
    SqlClient.SqlClient,
    Effect.gen(function* () {
      const path = yield* newPath
      copyFileSync(empty, path)
      const sql = Context.get(yield* Layer.build(Sqlite.layer({ path })), SqlClient.SqlClient)
      yield* sql`PRAGMA synchronous = OFF`
      return sql
    })
  )
  for (const { name, run } of storeContract(SqlStore.layer.pipe(Layer.provide(copied)))) it.effect(name, () => run)
})

sqlStoreContract("a file of SQLite", file)

/** Finished swaps with all their rows. */
const past = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, count: number) {
  const numbers = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`
  const [row] = yield* sql<{ columns: string }>`SELECT GROUP_CONCAT(name) AS columns
    FROM pragma_table_info('swaps') WHERE name NOT IN ('id', 'order_id', 'operation_nonce', 'state', 'lease_owner', 'lease_until')`
  const columns = row?.columns ?? ""
  yield* sql.unsafe(`INSERT INTO swaps (id, order_id, operation_nonce, state, ${columns})
    ${numbers} SELECT 'past-' || n, 'past-' || n, 'past-' || n, 'settled', ${columns} FROM numbers, swaps WHERE id = 'swap-1'`)
  yield* sql.unsafe(`INSERT INTO swap_events SELECT id, 0, 0, state, '' FROM swaps WHERE state = 'settled'`)
  yield* sql.unsafe(`INSERT INTO tx_intents SELECT id, 'collect', 1, id, 0 FROM swaps WHERE state = 'settled'`)
  yield* sql.unsafe(`INSERT INTO tx_attempts (swap_id, kind, number, hash, raw, nonce, cancels, created_at)
    SELECT id, 'collect', 0, id, '', 0, 0, 0 FROM swaps WHERE state = 'settled'`)
})

/** The query plans of the statements of an effect. */
const planned = Effect.fnUntraced(function* <A, E>(sql: SqlClient.SqlClient, effect: Effect.Effect<A, E>) {
  const statements: Array<readonly [sql: string, params: ReadonlyArray<unknown>]> = []
  yield* Effect.provideService(effect, Statement.CurrentTransformer, (statement) =>
    Effect.sync(() => {
      statements.push(statement.compile())
      return statement
    })
  )
  const plans = yield* Effect.forEach(statements, ([text, params]) =>
    sql.unsafe<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, params)
  )
  return plans.flat().map(({ detail }) => detail)
})

/** A nested search, one part of several, or the values of parameters. */
const perRow =
  /^(((CORRELATED )?SCALAR|LIST) SUBQUERY \d+|COMPOUND QUERY|LEFT-MOST SUBQUERY|UNION ALL|MATERIALIZE \w+|SCAN (CONSTANT ROW|json_each .*|listed|decoded))$/

/** A search by index. */
const indexed = /^SEARCH .* USING ((INTEGER )?PRIMARY KEY|(COVERING )?INDEX)/

/** Rows of other tables for a swap, by its id only. */
const beside = ["SEARCH claims USING PRIMARY KEY (swap_id=? AND phase=? AND kind=?)"]

const searchesOf = (plan: ReadonlyArray<string>) => plan.filter((detail) => !perRow.test(detail))

describe("store with 10,000 finished swaps", () => {
  it.effect.each([false, true])("uses only indexes (statistics: %s)", (analyzed) =>
    Effect.gen(function* () {
      const store = yield* Store.Store
      const sql = yield* SqlClient.SqlClient
      const swap = yield* underWay(store)
      yield* past(sql, 10_000)
      if (analyzed) yield* sql`ANALYZE`

      const claim = store.claim({ owner: "another", leaseMillis: 1_000, limit: 10 })
      const claiming = yield* planned(sql, claim)
      expect(claiming).toContain("SCAN swaps USING INDEX swaps_fresh")
      expect(claiming).toContain("SEARCH swaps USING INDEX swaps_held (lease_until<?)")
      expect(searchesOf(yield* planned(sql, store.swap("swap-1")))).toStrictEqual([
        "SEARCH swaps USING INDEX sqlite_autoindex_swaps_1 (id=?)",
        ...beside
      ])
      expect(searchesOf(yield* planned(sql, store.swapOfOrder(bytes(1))))).toStrictEqual([
        "SEARCH swaps USING INDEX sqlite_autoindex_swaps_2 (order_id=?)",
        ...beside
      ])
      expect(searchesOf(yield* planned(sql, accept(store, order(2), plenty)))).toStrictEqual([
        "SEARCH swaps USING INDEX sqlite_autoindex_swaps_2 (order_id=?) LEFT-JOIN",
        "SEARCH same USING INDEX swaps_by_nonce (origin_chain=? AND wallet_key=? AND operation_nonce=?)",
        "SEARCH one USING INDEX claims_by_resource (kind=? AND name=?)",
        "SEARCH one USING PRIMARY KEY (kind=? AND name=?)",
        "SEARCH one USING INDEX claims_by_arrival (name=? AND from_block>?)",
        "SEARCH one USING INDEX sqlite_autoindex_releases_1 (kind=? AND name=?)",
        // The foreign keys of the new swap.
        "SEARCH tx_intents USING COVERING INDEX sqlite_autoindex_tx_intents_1 (swap_id=?)",
        "SEARCH swap_events USING COVERING INDEX sqlite_autoindex_swap_events_1 (swap_id=?)",
        "SEARCH claim_totals USING PRIMARY KEY (kind=? AND name=?)"
      ])

      yield* store.nextNonce(31_337, relayer)
      const intent = { kind: "collect", chainId: 31_337, signer: relayer, attempt: attempt(1) } as const
      const rest = Effect.gen(function* () {
        const prepared = yield* store.change(to(swap, "origin_prepared", { intent }))
        yield* store.renew("worker-1", [swap.id], 1_000)
        yield* store.attempts(swap.id, "collect")
        yield* store.events(swap.id)
        yield* store.change(to(prepared, "failed"))
        yield* store.release("worker-1", [swap.id, "swap-2"])
        yield* store.raiseNonce(31_337, relayer, 9)
        yield* store.operationWord(31_337, relayer)
        // The first one takes index 0 with one statement, and the second one searches the word.
        for (const used of [0n, 2n]) yield* store.takeOperationNonce(31_337, relayer, { word: 0n, used })
        yield* store.isOperationNonceUsed(31_337, relayer, 0n)
        yield* store.apiKey("k1")
      })
      // Unfinished swaps and changes are found by index, and everything else by them.
      const lanes = yield* planned(sql, Effect.andThen(store.lanes.all, store.lanes.next(31_337, relayer, 0)))
      const ofTables = lanes.filter((detail) => /^(SCAN|SEARCH) (?!attempts$|slots$)/.test(detail))
      expect(ofTables.filter((detail) => !indexed.test(detail))).toStrictEqual([
        "SCAN s USING INDEX swaps_open",
        "SCAN d USING INDEX delegation_changes_open",
        "SCAN relayers"
      ])
      const plan = yield* planned(sql, rest)
      expect(plan.length).toBeGreaterThan(8)
      expect(searchesOf(plan).filter((detail) => !indexed.test(detail))).toStrictEqual([])
    }).pipe(Effect.provide(Layer.fresh(SqlStore.layer.pipe(Layer.provideMerge(Sqlite.layer({ path: ":memory:" }))))))
  )
})
