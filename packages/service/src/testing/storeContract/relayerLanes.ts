/** Part of the store contract: the relayers' pending transactions, and retired relayers. */
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import type { Lane } from "../../store/lanes/LaneStore.js"
import type { Store } from "../../store/Store.js"
import { equals } from "../contractAssertions.js"
import { attempt, bytes, relayer, to, underWay } from "./fixture.js"
import { type Case, group, test } from "./storeCase.js"

const origin = 31_337
const destination = 31_338
const other = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"

const lanesOf = (store: Store) =>
  Effect.map(store.lanes.all, (lanes): ReadonlyArray<Lane> =>
    lanes.toSorted((one, two) => one.chainId - two.chainId || (one.relayer < two.relayer ? -1 : 1))
  )

const lane = (chainId: number, address: string, over: Partial<Lane>): Lane => ({
  chainId,
  relayer: address.toLowerCase(),
  pending: 0,
  unfinished: 0,
  pendingCost: 0n,
  ...over
})

export const relayerLanesCases: ReadonlyArray<Case> = group("relayer lanes", [
  test("count the transactions that are not in a block, and those that are not final", (store) =>
    Effect.gen(function* () {
      equals(yield* lanesOf(store), [])
      yield* store.nextNonce(origin, relayer)
      equals(yield* lanesOf(store), [lane(origin, relayer, { nextNonce: 0 })])
      const swap = yield* underWay(store)
      const first = attempt(1)
      const collect = { kind: "collect", chainId: origin, signer: relayer } as const
      let current = yield* store.change(to(swap, "origin_prepared", { intent: { ...collect, attempt: first } }))
      const used = { nextNonce: 1, unfinished: 1 }
      equals(yield* lanesOf(store), [lane(origin, relayer, { ...used, pending: 1, oldestAt: first.createdAt })])
      // A replacement does not make the transaction younger.
      const bump = attempt(2, { createdAt: first.createdAt + 5_000 })
      current = yield* store.change(to(current, "origin_sent", { intent: { ...collect, attempt: bump } }))
      equals(yield* lanesOf(store), [lane(origin, relayer, { ...used, pending: 1, oldestAt: first.createdAt })])
      current = yield* store.change(to(current, "origin_sent", { originTxHash: bytes(1), originBlock: 5n }))
      equals(yield* lanesOf(store), [lane(origin, relayer, used)])
      current = yield* store.change(to(current, "origin_final", { block: 5n }))
      const idle = lane(origin, relayer, { nextNonce: 1 })
      equals(yield* lanesOf(store), [idle])
      yield* store.nextNonce(destination, other)
      const deliver = { kind: "deliver", chainId: destination, signer: other, attempt: attempt(3) } as const
      current = yield* store.change(to(current, "delivery_prepared", { intent: deliver }))
      equals(yield* lanesOf(store), [
        idle,
        lane(destination, other, { ...used, pending: 1, oldestAt: attempt(3).createdAt })
      ])
      yield* store.change(to(current, "settled", { deliveryTxHash: bytes(3), block: 6n }))
      equals(yield* lanesOf(store), [idle, lane(destination, other, { nextNonce: 1 })])
    })),

  test("use the age of the relayer's current transaction, not of one that was given up", (store) =>
    Effect.gen(function* () {
      yield* store.nextNonce(origin, relayer)
      const swap = yield* underWay(store)
      const collect = { kind: "collect", chainId: origin, signer: relayer } as const
      const given = attempt(1)
      const prepared = yield* store.change(to(swap, "origin_prepared", { intent: { ...collect, attempt: given } }))
      const later = attempt(2, { nonce: 1, createdAt: given.createdAt + 9_000 })
      yield* store.change(to(prepared, "origin_prepared", { intent: { ...collect, attempt: later } }))
      equals(yield* lanesOf(store), [
        lane(origin, relayer, { nextNonce: 2, pending: 1, oldestAt: later.createdAt, unfinished: 1 })
      ])
    })),

  test("are retired one by one, but never all of them, and can be restored", (store) =>
    Effect.gen(function* () {
      const { restore, retire } = store.lanes
      yield* TestClock.setTime(7_000)
      equals(yield* retire(origin, relayer, [relayer, other]), { _tag: "Retired" })
      yield* TestClock.setTime(8_000)
      equals(yield* retire(origin, relayer.toLowerCase(), [relayer, other]), { _tag: "AlreadyRetired" })
      equals(yield* retire(origin, other, [relayer, other]), { _tag: "LastRelayer" })
      equals(yield* lanesOf(store), [lane(origin, relayer, { nextNonce: 0, retiredAt: 7_000 })])
      // On another chain, the same address is a separate relayer.
      equals(yield* retire(destination, other, [relayer, other]), { _tag: "Retired" })
      equals(yield* restore(origin, other), false)
      equals(yield* restore(origin, relayer.toLowerCase()), true)
      equals(yield* restore(origin, relayer), false)
      equals(yield* lanesOf(store), [
        lane(origin, relayer, { nextNonce: 0 }),
        lane(destination, other, { nextNonce: 0, retiredAt: 8_000 })
      ])
    })),

  test("are not all retired by concurrent calls", (store) =>
    Effect.gen(function* () {
      const relayers = [relayer, other]
      const results = yield* Effect.all(
        relayers.map((one) => store.lanes.retire(origin, one, relayers)),
        { concurrency: "unbounded" }
      )
      equals(results.map(({ _tag }) => _tag).toSorted(), ["LastRelayer", "Retired"])
    }))
])
