/** Part of the tests of the SQL store: servers of the previous version that run on the same database. */
import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Client from "effect/sql/SqlClient"
import type { SqlClient } from "effect/sql/SqlClient"
import * as SqlStore from "../../../src/store/SqlStore.js"
import { Store as StorePort, type Store } from "../../../src/store/Store.js"
import type { Accepted, SignedOperation } from "../../../src/store/SwapRecord.js"
import {
  held,
  order,
  pausedClock,
  plenty,
  someTurns,
  through,
  to,
  underWay,
  wallet,
  weth
} from "../../../src/testing/storeContract/fixture.js"
import { acceptedByOldServer } from "./previousServer.js"
import { countOf, type Stored } from "./stored.js"

const chainId = 31_337

const take = (store: Store, used: bigint) =>
  Effect.map(store.takeOperationNonce(chainId, wallet, { word: 0n, used }), (taking) =>
    taking._tag === "Taken" ? taking.index : undefined
  )

/** Takes an index as a server of the previous version does: adds 1 to the counter. */
const takenByOldServer = (sql: SqlClient) =>
  Effect.map(
    sql<{ readonly next_index: unknown }>`INSERT INTO account_nonces (chain_id, wallet, next_index)
      VALUES (${chainId}, ${wallet.toLowerCase()}, 1)
      ON CONFLICT (chain_id, wallet) DO UPDATE SET next_index = account_nonces.next_index + 1
      RETURNING next_index`,
    ([row]) => BigInt(String(row?.next_index)) - 1n
  )

const used = { _tag: "NonceUsed" }

const operation = (nonce: string, over: object = {}): SignedOperation => ({
  _tag: "evm",
  delegate: weth,
  nonce,
  deadline: 1_767_225_690,
  signature: `0x${"5b".repeat(65)}`,
  ...over
})

/** The swap of an order whose operation has this nonce of the wallet. */
const withNonce = (number: number, nonce: string, over: Partial<Accepted> = {}): Accepted =>
  order(number, { operation: operation(nonce), ...over })

const isUsed = (store: Store, nonce: bigint, owner = wallet, chainId = 31_337) =>
  store.isOperationNonceUsed(chainId, owner, nonce)

export const previousVersionContract = (stored: Stored) => {
  describe("operation indices", () => {
    it.effect("are handed out once each while a server of the previous version runs", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          const mixed = Array.from({ length: 40 }, (_, ask) =>
            ask % 2 === 0 ? takenByOldServer(sql) : take(store, 0n)
          )
          const indices = yield* Effect.all(mixed, { concurrency: "unbounded" })
          expect(indices.toSorted((a, b) => Number((a ?? 0n) - (b ?? 0n)))).toStrictEqual(
            Array.from({ length: 40 }, (_, index) => BigInt(index))
          )
          // Only index 60 of the word is free.
          expect(yield* take(store, 2n ** 256n - 1n - (1n << 60n))).toBe(60n)
          expect(yield* takenByOldServer(sql)).toBe(61n)
          expect(yield* take(store, 0n)).toBe(62n)
        })
      )
    )
  })

  describe("operation nonces", () => {
    it.effect("belong to a swap that a server of the previous version accepted, in every state", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          yield* acceptedByOldServer(sql, withNonce(1, "12"))
          expect(yield* countOf(sql, "operation_nonces")).toBe(0)
          let [swap] = yield* store.claim({ owner: "worker-1", leaseMillis: 60_000, limit: 1 })
          for (const state of [
            "origin_prepared",
            "origin_sent",
            "origin_final",
            "delivery_prepared",
            "settled"
          ] as const) {
            expect([state, yield* isUsed(store, 12n)]).toEqual([state, true])
            expect([state, yield* store.accept(withNonce(2, "12"), plenty)]).toStrictEqual([state, used])
            if (swap !== undefined) swap = yield* store.change(to(swap, state))
          }
          expect(yield* store.accept(withNonce(2, "12"), plenty)).toStrictEqual(used)
          expect(yield* countOf(sql, "operation_nonces")).toBe(1)
          // Neither a part of that nonce nor the nonce of an authorization is this one.
          for (const nonce of ["1", "2", "121", "512"]) expect(yield* isUsed(store, BigInt(nonce))).toBe(false)
        })
      )
    )

    it.effect("belong to a swap that a server of the previous version is about to accept", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          // The old server reads the time right before it stores the swap, and waits there.
          const { clock, opened, reached } = yield* pausedClock(4_999)
          const accepting = yield* Effect.forkChild(
            Effect.provideService(acceptedByOldServer(sql, withNonce(1, "7")), Clock.Clock, clock)
          )
          yield* reached
          const second = yield* Effect.forkChild(store.accept(withNonce(2, "7"), plenty))
          yield* someTurns
          expect(second.pollUnsafe()).toBeUndefined()
          yield* opened
          expect(yield* Fiber.join(accepting)).toMatchObject({ _tag: "Inserted" })
          expect(yield* Fiber.join(second)).toStrictEqual(used)
        })
      )
    )

    it.effect("are not the nonces of authorizations", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          const hex = `0x${"1".repeat(64)}` as const
          const authorization = { chainId: 31_337, address: weth.toLowerCase(), nonce: 4, yParity: 1, r: hex, s: hex }
          yield* acceptedByOldServer(sql, order(1, { operation: operation("3", { authorization }) }))
          expect(yield* store.accept(withNonce(2, "4"), plenty)).toMatchObject({ _tag: "Inserted" })
          expect(yield* store.accept(withNonce(3, "3"), plenty)).toStrictEqual(used)
        })
      )
    )

    it.effect("of a failed swap are free again, even if a server of the previous version accepted it", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          yield* acceptedByOldServer(sql, withNonce(1, "12"))
          const [swap] = yield* store.claim({ owner: "worker-1", leaseMillis: 60_000, limit: 1 })
          if (swap !== undefined) yield* store.change(to(swap, "failed"))
          expect(yield* store.accept(withNonce(2, "12"), plenty)).toMatchObject({ _tag: "Inserted" })
        })
      )
    )

    it.effect("belong to the swap whose input arrived, if a server of the previous version accepted a second one", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          yield* store.accept(withNonce(1, "12"), plenty)
          expect(yield* acceptedByOldServer(sql, withNonce(2, "12"))).toMatchObject({ _tag: "Inserted" })
          const claimed = yield* store.claim({ owner: "worker-1", leaseMillis: 60_000, limit: 2 })
          for (const swap of claimed) {
            yield* store.change(to(swap, swap.id === "swap-2" ? "origin_final" : "failed"))
          }
          expect(yield* store.accept(withNonce(3, "12"), plenty)).toStrictEqual(used)
        })
      )
    )
  })

  describe("an input that is in a block but not final", () => {
    it.effect("is counted if a server of the previous version stored no block", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          const swap = yield* through(store, yield* underWay(store), "origin_prepared", "origin_sent")
          yield* sql`UPDATE swaps SET origin_tx_hash = '0xa', version = version + 1 WHERE id = ${swap.id}`
          const met = yield* store.accept(order(2), { ...plenty, balance: held(19n, 100n) })
          expect(met._tag).toBe("BalanceInFlight")
        })
      )
    )
  })

  describe("the totals of the reservations", () => {
    it.effect("include what a server of the previous version reserves and releases", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          yield* store.accept(order(1), plenty)
          yield* acceptedByOldServer(sql, order(2))
          expect(yield* store.reserved).toMatchObject([{ amount: 8n }])
          expect(yield* store.accept(order(3), { ...plenty, inventory: held(11n) })).toStrictEqual({
            _tag: "InventoryReserved",
            reserved: 8n
          })
          yield* sql`DELETE FROM reservations WHERE swap_id = 'swap-1'`
          expect(yield* store.reserved).toMatchObject([{ amount: 4n }])
          expect((yield* store.accept(order(3), { ...plenty, inventory: held(8n) }))._tag).toBe("Inserted")
          expect(yield* store.reserved).toMatchObject([{ amount: 8n }])
        })
      )
    )

    it.effect("stay right while servers of both versions accept and release at the same time", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          const swapOf = (number: number) =>
            order(number, { wallet: `0x${number}`, outputToken: number % 3 === 0 ? weth : wallet })
          for (let number = 0; number < 10; number++) yield* store.accept(swapOf(number), plenty)
          yield* Effect.forEach(
            Array.from({ length: 10 }, (_, number) => number),
            (number) =>
              Effect.all([
                store.accept(swapOf(100 + number), plenty),
                acceptedByOldServer(sql, swapOf(200 + number)),
                sql`DELETE FROM reservations WHERE swap_id = ${`swap-${number}`}`
              ]),
            { concurrency: "unbounded" }
          )
          const rows = yield* sql<{ readonly amount: string }>`SELECT amount FROM reservations`
          expect(rows).toHaveLength(20)
          const kept = yield* store.reserved
          expect(kept).toHaveLength(2)
          expect(kept.reduce((sum, { amount }) => sum + amount, 0n)).toBe(80n)
        })
      )
    )

    it.effect("are computed again at the next start if they are wrong", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          yield* store.accept(order(1), plenty)
          yield* store.accept(order(2, { outputToken: wallet }), plenty)
          yield* sql`DELETE FROM reservation_totals WHERE token = ${weth.toLowerCase()}`
          expect(yield* store.reserved).toHaveLength(1)
          const again = yield* Effect.provide(
            StorePort,
            SqlStore.layer.pipe(Layer.provide(Layer.succeed(Client.SqlClient, sql)))
          )
          expect((yield* again.reserved).map(({ amount }) => amount)).toEqual([4n, 4n])
          expect(yield* again.accept(order(3), { ...plenty, inventory: held(7n) })).toStrictEqual({
            _tag: "InventoryReserved",
            reserved: 4n
          })
        })
      )
    )
  })
}
