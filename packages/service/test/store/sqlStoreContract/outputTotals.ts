/** Part of the tests of the SQL store: the totals of the claimed outputs. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Client from "effect/sql/SqlClient"
import * as SqlStore from "../../../src/store/SqlStore.js"
import { Store } from "../../../src/store/Store.js"
import { accept, held, order, plenty, wallet, weth } from "../../../src/testing/storeContract/fixture.js"
import type { Stored } from "./stored.js"

export const outputTotalsContract = (stored: Stored) =>
  describe("the totals of the claimed outputs", () => {
    it.effect("are computed again at the next start if they are wrong", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          yield* accept(store, order(1), plenty)
          yield* accept(store, order(2, { outputToken: wallet }), plenty)
          yield* sql`DELETE FROM output_totals WHERE name LIKE ${`%${weth.toLowerCase()}`}`
          expect(yield* store.reserved).toHaveLength(1)
          const again = yield* Effect.provide(
            Store,
            SqlStore.layer.pipe(Layer.provide(Layer.succeed(Client.SqlClient, sql)))
          )
          expect((yield* again.reserved).map(({ amount }) => amount)).toEqual([4n, 4n])
          expect(yield* accept(again, order(3), { ...plenty, inventory: held(7n) })).toStrictEqual({
            _tag: "output exceeded",
            used: 4n
          })
        })
      )
    )
  })
