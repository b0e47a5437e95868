/** The store in an SQL database: one schema and one set of statements for SQLite and PostgreSQL. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as Accepting from "./internal/sql/accepting.js"
import * as Accounts from "./internal/sql/accounts.js"
import * as Changing from "./internal/sql/changing.js"
import * as Dialect from "./internal/sql/dialect.js"
import { unavailable } from "./internal/sql/failures.js"
import * as Leases from "./internal/sql/leases.js"
import * as Nonces from "./internal/sql/nonces.js"
import * as Reading from "./internal/sql/reading.js"
import { migrate } from "./internal/sql/schema.js"
import { Store, type StoreUnavailable } from "./Store.js"

/** The store, with its tables made or brought up to date. */
export const layer: Layer.Layer<Store, StoreUnavailable, SqlClient.SqlClient> = Layer.effect(
  Store,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* migrate.pipe(unavailable("bring the tables up to date"))
    const dialect = Dialect.make(sql)
    return Store.of({
      ...Accounts.make(sql, dialect),
      ...Nonces.make(sql, dialect),
      ...Accepting.make(sql, dialect),
      ...Changing.make(sql, dialect),
      ...Reading.make(sql, dialect),
      ...Leases.make(sql, dialect)
    })
  })
)
