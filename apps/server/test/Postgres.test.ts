import { describe } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { afterAll, beforeAll } from "vitest"
import { storeContract } from "../../../packages/service/test/storeContract.js"
import * as Postgres from "../src/Postgres.js"
import { programs, shared } from "./postgres/cluster.js"

describe.skipIf(programs === undefined)("PostgreSQL", () => {
  const postgres = shared()
  const scope = Scope.makeUnsafe()
  let client: SqlClient.SqlClient | undefined
  beforeAll(async () => {
    const url = Redacted.make(await postgres().newDatabase())
    const context = await Effect.runPromise(Layer.buildWithScope(Postgres.layer({ url }), scope))
    client = Context.get(context, SqlClient.SqlClient)
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  // The connections stay, with what they have prepared; the tables go.
  const fresh = Layer.effect(
    SqlClient.SqlClient,
    Effect.gen(function* () {
      const sql = client ?? (yield* Effect.die("the client is there only while tests run"))
      yield* sql`DROP SCHEMA public CASCADE`
      yield* sql`CREATE SCHEMA public`
      return sql
    })
  )
  storeContract("PostgreSQL", fresh)
})
