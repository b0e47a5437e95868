/** Part of the tests of the SQL store: databases that are newer, unavailable or corrupt. */
import { describe, expect, it } from "@effect/vitest"
import { SqlStore, Store } from "@geoswap/service"
import { StoreFixture } from "@geoswap/service/testing"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { countOf, type Stored } from "./stored.js"

const { order, plenty, underWay, accept } = StoreFixture

/** A second start on the same database. */
const again = (sql: SqlClient.SqlClient) =>
  Effect.provide(Store.Store, SqlStore.layer.pipe(Layer.provide(Layer.succeed(SqlClient.SqlClient, sql))))

export const unavailableContract = (stored: Stored) =>
  describe("a database", () => {
    it.effect("is not changed by a second start", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          const swap = yield* underWay(store)
          const second = yield* again(sql)
          expect(yield* Effect.flatMap(second.swap(swap.id), Effect.fromOption)).toStrictEqual(swap)
        })
      )
    )

    it.effect("of a newer version of the service is not changed", () =>
      stored((_, sql) =>
        Effect.gen(function* () {
          yield* sql`INSERT INTO geoswap_migrations (migration_id, name) VALUES (9999, 'tomorrow')`
          const error = yield* Effect.flip(again(sql))
          expect(error._tag).toBe("StoreUnavailable")
          expect(error.message).toContain("newer version")
        })
      )
    )

    it.effect("that fails is reported as unavailable, without statements and values", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          // The event is the last thing that is written.
          yield* sql`DROP TABLE swap_events`
          const error = yield* Effect.flip(accept(store, order(1), plenty))
          expect(error._tag).toBe("StoreUnavailable")
          expect(error.message).toBe("Could not accept the swap: the database failed; see its log.")
          expect(yield* countOf(sql, "swaps")).toBe(0)
          expect(yield* countOf(sql, "claims")).toBe(0)
        })
      )
    )

    it.effect("with an invalid row is a defect", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          yield* underWay(store)
          yield* sql`UPDATE swaps SET amount = 'ten'`
          expect(Exit.hasDies(yield* Effect.exit(store.swap("swap-1")))).toBe(true)
        })
      )
    )
  })
