/** Part of the tests of the SQL store: the totals of claims. */
import { describe, expect, it } from "@effect/vitest"
import { SqlStore, Store } from "@geoswap/service"
import { ClaimTotals, Dialect, StoreFixture } from "@geoswap/service/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Client from "effect/sql/SqlClient"
import type { Stored } from "./stored.js"

const { accept, held, me, order, plenty, to, wallet, weth } = StoreFixture

export const claimTotalsContract = (stored: Stored) =>
  describe("the totals of claims", () => {
    it.effect("are the sums of the claims after many swaps that are accepted and end at the same time", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          const totals = ClaimTotals.make(sql, Dialect.make(sql))
          for (let turn = 0; turn < 4; turn++) {
            const some = Array.from({ length: 30 }, (_, index) => order(30 * turn + index))
            // One after the other, so that each has its own transaction.
            for (const one of some) yield* accept(store, one, plenty)
            const claimed = yield* store.claim({ owner: me, leaseMillis: 60_000, limit: 20 })
            yield* Effect.forEach(claimed, (swap) => store.change(to(swap, "failed")), { concurrency: "unbounded" })
            const [kept, sums] = yield* Effect.all([totals.kept, totals.sums])
            expect(kept.length).toBeGreaterThan(1)
            expect(kept).toEqual(expect.arrayContaining([...sums]))
            expect(kept).toHaveLength(sums.length)
          }
        })
      )
    )

    it.effect("are computed again at the next start if they are wrong", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          const ofWeth = `%${weth.toLowerCase()}`
          yield* accept(store, order(1), plenty)
          yield* accept(store, order(2, { outputToken: wallet }), plenty)
          yield* sql.onDialectOrElse({
            pg: () => sql`INSERT INTO claim_changes (kind, name, amount)
              SELECT kind, name, - amount::numeric FROM claims WHERE kind = 'output' AND name LIKE ${ofWeth}`,
            orElse: () => sql`DELETE FROM claim_totals WHERE kind = 'output' AND name LIKE ${ofWeth}`
          })
          expect(yield* store.reserved).toHaveLength(1)
          const again = yield* Effect.provide(
            Store.Store,
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
