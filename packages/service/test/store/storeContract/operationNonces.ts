/** Part of the store contract: each swap that has not failed has its own operation nonce. */
import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Statement from "effect/sql/Statement"
import type { Acceptance, Store } from "../../../src/store/Store.js"
import type { Accepted, SignedOperation } from "../../../src/store/SwapRecord.js"
import {
  bytes,
  countOf,
  order,
  pausedClock,
  plenty,
  someTurns,
  type Stored,
  through,
  to,
  underWay,
  usdc,
  wallet,
  weth
} from "./fixture.js"

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

const isUsed = (store: Store["Service"], nonce: bigint, owner = wallet, chainId = 31_337) =>
  store.isOperationNonceUsed(chainId, owner, nonce)

const tagsOf = (all: ReadonlyArray<Acceptance>) => all.map(({ _tag }) => _tag).toSorted()

const times = (length: number, tag: Acceptance["_tag"]) => Array.from({ length }, () => tag)

/** Accepts as a server without the table of nonces does: without reading, writing or locking it. */
const acceptedByOldServer = (store: Store["Service"], swap: Accepted) =>
  Effect.provideService(store.accept(swap, plenty), Statement.CurrentTransformer, (statement, sql) => {
    const [text, params] = statement.compile()
    const isNew = text.includes("operation_nonces") || params.some((param) => /^operation \d/.test(String(param)))
    return Effect.succeed(isNew ? sql`SELECT id FROM swaps WHERE 1 = 0` : statement)
  })

export const operationNoncesContract = (stored: Stored) =>
  describe("operation nonces", () => {
    it.effect("belong to one swap of a wallet on a chain, in any case of the address", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          expect(yield* store.accept(withNonce(1, "7"), plenty)).toMatchObject({ _tag: "Inserted" })
          expect(yield* store.accept(withNonce(2, "7"), plenty)).toStrictEqual(used)
          expect(yield* store.accept(withNonce(2, "7", { wallet: wallet.toLowerCase() }), plenty)).toStrictEqual(used)
          expect(yield* store.accept(withNonce(2, "7", { inputToken: weth, outputToken: usdc }), plenty)).toStrictEqual(
            used
          )
          for (const table of ["swaps", "swap_events", "swap_details", "reservations", "operation_nonces"]) {
            expect([table, yield* countOf(sql, table)]).toEqual([table, 1])
          }
          const other = `${wallet.slice(0, -1)}7`
          for (const [number, swap] of [
            withNonce(3, "8"),
            withNonce(4, "7", { wallet: other }),
            withNonce(5, "7", { originChain: 31_338 })
          ].entries()) {
            expect([number, yield* store.accept(swap, plenty)]).toMatchObject([number, { _tag: "Inserted" }])
          }
          expect(yield* isUsed(store, 7n, wallet.toLowerCase())).toBe(true)
          expect(yield* isUsed(store, 8n)).toBe(true)
          expect(yield* isUsed(store, 9n)).toBe(false)
          expect(yield* isUsed(store, 8n, other)).toBe(false)
          expect(yield* isUsed(store, 8n, wallet, 31_338)).toBe(false)
        })
      )
    )

    it.effect("do not exist on Solana", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          const solana = { _tag: "solana", transaction: "AQ==", lastValidBlockHeight: "7" } as const
          for (const number of [1, 2]) {
            const swap = order(number, { operation: solana })
            expect(yield* store.accept(swap, plenty)).toMatchObject({ _tag: "Inserted" })
          }
          expect(yield* countOf(sql, "operation_nonces")).toBe(0)
        })
      )
    )

    it.effect("of a failed swap are free again, and belong to the next swap", () =>
      stored((store) =>
        Effect.gen(function* () {
          const first = yield* underWay(store, 1, { operation: operation("7") })
          yield* through(store, first, "origin_prepared", "origin_sent", "failed")
          expect(yield* isUsed(store, 7n)).toBe(false)
          expect(yield* store.accept(withNonce(2, "7"), plenty)).toMatchObject({ _tag: "Inserted" })
          expect(yield* isUsed(store, 7n)).toBe(true)
          expect(yield* store.accept(withNonce(3, "7"), plenty)).toStrictEqual(used)
          // A repeated submit still returns its own swap.
          expect(yield* store.accept(withNonce(1, "7"), plenty)).toMatchObject({
            _tag: "Existing",
            swap: { id: "swap-1", state: "failed" }
          })
          expect(yield* store.accept(withNonce(2, "7"), plenty)).toMatchObject({
            _tag: "Existing",
            swap: { id: "swap-2", state: "accepted" }
          })
          const other = withNonce(2, "7", { operationHash: bytes(9) })
          expect(yield* store.accept(other, plenty)).toStrictEqual({ _tag: "QuoteUsed" })
        })
      )
    )

    it.effect.each(["settled", "refunded"] as const)("stay with a swap that is %s", (end) =>
      stored((store) =>
        Effect.gen(function* () {
          const first = yield* underWay(store, 1, { operation: operation("7") })
          yield* through(store, first, "origin_prepared", "origin_sent", "origin_final", end)
          expect(yield* store.accept(withNonce(2, "7"), plenty)).toStrictEqual(used)
          expect(yield* isUsed(store, 7n)).toBe(true)
        })
      )
    )

    it.effect("go to one of many concurrent operations, no matter which tokens they swap", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          const all = yield* Effect.forEach(
            Array.from({ length: 30 }, (_, number) => number),
            (number) => {
              const tokens = number % 2 === 0 ? {} : { inputToken: weth, outputToken: `0x${number}` }
              return store.accept(withNonce(number, `${number % 3}`, tokens), plenty)
            },
            { concurrency: "unbounded" }
          )
          expect(tagsOf(all)).toEqual([...times(3, "Inserted"), ...times(27, "NonceUsed")])
          expect(yield* countOf(sql, "swaps")).toBe(3)
          expect(yield* countOf(sql, "operation_nonces")).toBe(3)
        })
      )
    )

    it.effect("go to one of many concurrent operations while the swap that has the nonce fails", () =>
      stored((store) =>
        Effect.gen(function* () {
          const first = yield* underWay(store, 1, { operation: operation("7") })
          const [, ...all] = yield* Effect.all(
            [
              store.change(to(first, "failed")),
              ...Array.from({ length: 10 }, (_, number) => store.accept(withNonce(number + 2, "7"), plenty))
            ],
            { concurrency: "unbounded" }
          )
          const met = all.filter((one): one is Acceptance => "_tag" in one)
          expect(met.filter(({ _tag }) => _tag === "Inserted").length).toBeLessThanOrEqual(1)
          const last = yield* store.accept(withNonce(20, "7"), plenty)
          expect(tagsOf([...met, last])).toEqual(["Inserted", ...times(10, "NonceUsed")])
        })
      )
    )

    it.effect("belong to a swap that a server of the previous version accepted, in every state", () =>
      stored((store, sql) =>
        Effect.gen(function* () {
          yield* acceptedByOldServer(store, withNonce(1, "12"))
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
      stored((store) =>
        Effect.gen(function* () {
          // The old server reads the time right before it stores the swap, and waits there.
          const { clock, opened, reached } = yield* pausedClock(4_999)
          const accepting = yield* Effect.forkChild(
            Effect.provideService(acceptedByOldServer(store, withNonce(1, "7")), Clock.Clock, clock)
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
      stored((store) =>
        Effect.gen(function* () {
          const hex = `0x${"1".repeat(64)}` as const
          const authorization = { chainId: 31_337, address: weth.toLowerCase(), nonce: 4, yParity: 1, r: hex, s: hex }
          yield* acceptedByOldServer(store, order(1, { operation: operation("3", { authorization }) }))
          expect(yield* store.accept(withNonce(2, "4"), plenty)).toMatchObject({ _tag: "Inserted" })
          expect(yield* store.accept(withNonce(3, "3"), plenty)).toStrictEqual(used)
        })
      )
    )

    it.effect("of a failed swap are free again, even if a server of the previous version accepted it", () =>
      stored((store) =>
        Effect.gen(function* () {
          yield* acceptedByOldServer(store, withNonce(1, "12"))
          const [swap] = yield* store.claim({ owner: "worker-1", leaseMillis: 60_000, limit: 1 })
          if (swap !== undefined) yield* store.change(to(swap, "failed"))
          expect(yield* store.accept(withNonce(2, "12"), plenty)).toMatchObject({ _tag: "Inserted" })
        })
      )
    )

    it.effect("belong to the swap whose input arrived, if a server of the previous version accepted a second one", () =>
      stored((store) =>
        Effect.gen(function* () {
          yield* store.accept(withNonce(1, "12"), plenty)
          expect(yield* acceptedByOldServer(store, withNonce(2, "12"))).toMatchObject({ _tag: "Inserted" })
          const claimed = yield* store.claim({ owner: "worker-1", leaseMillis: 60_000, limit: 2 })
          for (const swap of claimed) {
            yield* store.change(to(swap, swap.id === "swap-2" ? "origin_final" : "failed"))
          }
          expect(yield* store.accept(withNonce(3, "12"), plenty)).toStrictEqual(used)
        })
      )
    )
  })
