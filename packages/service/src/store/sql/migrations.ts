/**
 * The migrations that create and change the tables. Never edit a migration that a released version has run: add the next one
 * below it. CONTRIBUTING.md lists the rules for changes between releases.
 */
import * as Effect from "effect/Effect"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { StoreUnavailable } from "../StoreError.js"
import { first } from "./tables.js"

const run = ({ postgres, sqlite }: typeof first) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.forEach(
      sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite }),
      (statement) => sql.unsafe(statement).unprepared,
      { discard: true }
    )
  )

const migrations = { "0001_first": run(first) }
const table = "geoswap_migrations"

/**
 * Migrates the tables. Fails if a newer version has already migrated them, unless its migrations have names that begin with
 * `add_`: these only add what the statements of this version ignore.
 */
export const migrate: Effect.Effect<void, SqlError | StoreUnavailable, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Migrator.make({})({ loader: Migrator.fromRecord(migrations), table })
  const newer = yield* sql`SELECT migration_id FROM ${sql(table)}
    WHERE migration_id > ${Object.keys(migrations).length} AND substr(name, 1, 4) <> 'add_'`
  if (newer.length > 0) {
    return yield* new StoreUnavailable({
      message: "This database was written by a newer version of the service. Run that version."
    })
  }
}).pipe(
  Effect.catchTag("MigrationError", (error) =>
    Effect.andThen(
      Effect.logDebug("A migration failed", { kind: error.kind }),
      new StoreUnavailable({ message: `The tables could not be migrated: ${error.message}.` })
    )
  )
)
