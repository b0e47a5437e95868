/** A PostgreSQL client for many stores, one after the other. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { afterAll, beforeAll } from "vitest"
import * as Postgres from "../../src/storage/Postgres.js"
import { shared } from "../stack/postgres/cluster.js"

/** The databases for the stores of a suite. */
export const storeDatabases = () => {
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

  // Creating the tables takes longer than most cases of the contract: those start with the tables of the case before.
  const emptied = Layer.effect(
    SqlClient.SqlClient,
    Effect.gen(function* () {
      const sql = client ?? (yield* Effect.die("the client is there only while tests run"))
      const tables = yield* sql<{ readonly name: string }>`SELECT format('%I', tablename) AS name FROM pg_tables
        WHERE schemaname = 'public' AND tablename <> 'geoswap_migrations'`
      const deletes = tables.map(({ name }) => `DELETE FROM ${name};`).join(" ")
      // Much faster than TRUNCATE, and in any order: this role does not check references.
      yield* sql`DO ${sql.literal(`$$ BEGIN SET LOCAL session_replication_role = replica; ${deletes} END $$`)}`
      return sql
    })
  )
  return { postgres, fresh, emptied }
}
