import { describe, expect, it } from "@effect/vitest"
import { SwapSignals } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { status } from "../../../../packages/service/src/calls/status.js"
import * as SqlStore from "../../../../packages/service/src/store/SqlStore.js"
import { Store } from "../../../../packages/service/src/store/Store.js"
import { to, underWay } from "../../../../packages/service/src/testing/storeContract/fixture.js"
import * as Sqlite from "../../src/storage/Sqlite.js"

/** The call on a real store, with a count of its reads. */
const make = Effect.gen(function* () {
  const store = yield* Store
  let reads = 0
  const counted = {
    ...store,
    swap: (id: string) =>
      Effect.suspend(() => {
        reads++
        return store.swap(id)
      })
  }
  const call = status({ signals: yield* SwapSignals.make, store: counted })
  return { call, reads: () => reads, store }
})

describe("status of a finished swap", () => {
  const stored = Layer.fresh(SqlStore.layer.pipe(Layer.provide(Sqlite.layer({ path: ":memory:" }))))

  it.effect("is read once and returned only to its account", () =>
    Effect.gen(function* () {
      const { call, reads, store } = yield* make
      const swap = yield* underWay(store)
      yield* store.change(to(swap, "settled", { deliveryTxHash: "0xd" }))
      for (let times = 0; times < 3; times++) {
        expect(yield* call("account-1", swap.id)).toMatchObject({ status: "settled", deliveryTxHash: "0xd" })
        expect(yield* Effect.flip(call("account-2", swap.id))).toMatchObject({ code: "SWAP_NOT_FOUND" })
      }
      expect(reads()).toBe(1)
    }).pipe(Effect.provide(stored))
  )

  it.effect("is not cached before the swap finishes", () =>
    Effect.gen(function* () {
      const { call, store } = yield* make
      const swap = yield* underWay(store)
      expect(yield* Effect.flip(call("account-2", swap.id))).toMatchObject({ code: "SWAP_NOT_FOUND" })
      yield* store.change(to(swap, "failed", { failureCode: "REVERTED" }))
      expect(yield* call("account-1", swap.id)).toMatchObject({ status: "failed", failureCode: "REVERTED" })
    }).pipe(Effect.provide(stored))
  )
})
