import { describe, expect, it } from "@effect/vitest"
import { storeContract } from "@geoswap/service/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import * as Statement from "effect/sql/Statement"
import { afterAll, beforeAll } from "vitest"
import * as SqlStore from "../../../packages/service/src/store/SqlStore.js"
import { held, order, plenty, to, underWay } from "../../../packages/service/src/testing/storeContract/fixture.js"
import { sqlStoreContract } from "../../../packages/service/test/store/sqlStoreContract.js"
import { storedBy } from "../../../packages/service/test/store/sqlStoreContract/stored.js"
import * as Postgres from "../src/storage/Postgres.js"
import { programs, shared } from "./postgres/cluster.js"

describe.skipIf(programs === undefined)("PostgreSQL", () => {
  const postgres = shared()
  const scope = Scope.makeUnsafe()
  let client: SqlClient.SqlClient | undefined
  beforeAll(async () => {
    const url = Redacted.make(await postgres().newDatabase())
    // Hundreds of statements run at once, on machines of any speed.
    const context = await Effect.runPromise(Layer.buildWithScope(Postgres.layer({ url, waitMillis: 240_000 }), scope))
    client = Context.get(context, SqlClient.SqlClient)
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  // The connections keep their prepared statements; the tables are dropped.
  const fresh = Layer.effect(
    SqlClient.SqlClient,
    Effect.gen(function* () {
      const sql = client ?? (yield* Effect.die("the client is there only while tests run"))
      yield* sql`DROP SCHEMA public CASCADE`
      yield* sql`CREATE SCHEMA public`
      return sql
    })
  )

  describe("a store", () => {
    for (const { name, run } of storeContract(SqlStore.layer.pipe(Layer.provide(fresh)))) it.effect(name, () => run)
  })

  sqlStoreContract("PostgreSQL", fresh)

  it.effect("sees a release that commits between two statements of an acceptance", () =>
    storedBy(fresh)((store) =>
      Effect.gen(function* () {
        const swap = yield* underWay(store)
        const release = store.change(to(swap, "settled", { block: 100n }))
        let reads = 0
        // Between the two reads that must be consistent, and outside of the transaction.
        const accepting = Effect.provideService(
          store.accept(order(2), { ...plenty, inventory: held(4n, 99n) }),
          Statement.CurrentTransformer,
          (statement) =>
            Effect.as(
              /SELECT amount FROM reservations|FROM releases/.test(statement.compile()[0]) && ++reads === 2
                ? Effect.promise(() => Effect.runPromise(release))
                : Effect.void,
              statement
            )
        )
        expect(yield* accepting).toStrictEqual({ _tag: "Outdated", balanceSince: 0n, inventorySince: 100n })
        expect(reads).toBe(2)
        expect((yield* store.accept(order(2), { ...plenty, inventory: held(0n, 100n) }))._tag).toBe("InventoryReserved")
      })
    )
  )
})
