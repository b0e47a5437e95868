/** Part of the store contract: each swap that has not failed has its own operation nonce. */
import * as Effect from "effect/Effect"
import type { Accepted, SignedOperation } from "../../domain/SwapRecord.js"
import type { Store } from "../../store/Store.js"
import { equals, holds, matches } from "../contractAssertions.js"
import {
  bytes,
  contentsOf,
  order,
  plenty,
  through,
  to,
  underWay,
  usdc,
  wallet,
  weth,
  accept,
  type Answer
} from "./fixture.js"
import { type Case, group, test } from "./storeCase.js"

const used = { _tag: "NonceUsed" }

const operation = (nonce: string, over: object = {}): SignedOperation => ({
  _tag: "evm",
  delegate: weth,
  nonce,
  deadline: 1_767_225_690,
  signature: `0x${"5b".repeat(65)}`,
  vault: "vault",
  method: "message",
  ...over
})

/** The swap for an order whose operation has the given nonce. */
const withNonce = (number: number, nonce: string, over: Partial<Accepted> = {}): Accepted =>
  order(number, { operation: operation(nonce), ...over })

const isUsed = (store: Store, nonce: bigint, owner = wallet, chainId = 31_337) =>
  store.isOperationNonceUsed(chainId, owner, nonce)

const tagsOf = (all: ReadonlyArray<Answer>) => all.map(({ _tag }) => _tag).toSorted()

const times = (length: number, tag: Answer["_tag"]) => Array.from({ length }, () => tag)

export const operationNoncesCases: ReadonlyArray<Case> = group("operation nonces", [
  test("belong to one swap from a wallet on a chain, regardless of the letter case of the address", (store) =>
    Effect.gen(function* () {
      matches(yield* accept(store, withNonce(1, "7"), plenty), { _tag: "Inserted" })
      equals(yield* accept(store, withNonce(2, "7"), plenty), used)
      equals(yield* accept(store, withNonce(2, "7", { wallet: wallet.toLowerCase() }), plenty), used)
      equals(yield* accept(store, withNonce(2, "7", { inputToken: weth, outputToken: usdc }), plenty), used)
      equals(yield* contentsOf(store), { swaps: 1, events: 1, reserved: 4n })
      const other = `${wallet.slice(0, -1)}7`
      for (const [number, swap] of [
        withNonce(3, "8"),
        withNonce(4, "7", { wallet: other }),
        withNonce(5, "7", { originChain: 31_338 })
      ].entries()) {
        matches([number, yield* accept(store, swap, plenty)], [number, { _tag: "Inserted" }])
      }
      equals(yield* isUsed(store, 7n, wallet.toLowerCase()), true)
      equals(yield* isUsed(store, 8n), true)
      equals(yield* isUsed(store, 9n), false)
      equals(yield* isUsed(store, 8n, other), false)
      equals(yield* isUsed(store, 8n, wallet, 31_338), false)
    })),

  test("do not exist on Solana", (store) =>
    Effect.gen(function* () {
      const solana = { _tag: "solana", transaction: "AQ==", lastValidBlockHeight: "7" } as const
      for (const number of [1, 2]) {
        const swap = order(number, { operation: solana })
        matches(yield* accept(store, swap, plenty), { _tag: "Inserted" })
      }
      equals(yield* isUsed(store, 7n), false)
    })),

  test("from a failed swap are free again, and belong to the next swap", (store) =>
    Effect.gen(function* () {
      const first = yield* underWay(store, 1, { operation: operation("7") })
      yield* through(store, first, "origin_prepared", "origin_sent", "failed")
      equals(yield* isUsed(store, 7n), false)
      matches(yield* accept(store, withNonce(2, "7"), plenty), { _tag: "Inserted" })
      equals(yield* isUsed(store, 7n), true)
      equals(yield* accept(store, withNonce(3, "7"), plenty), used)
      // A repeated submission still returns its own swap.
      matches(yield* accept(store, withNonce(1, "7"), plenty), {
        _tag: "Existing",
        swap: { id: "swap-1", state: "failed" }
      })
      matches(yield* accept(store, withNonce(2, "7"), plenty), {
        _tag: "Existing",
        swap: { id: "swap-2", state: "accepted" }
      })
      const other = withNonce(2, "7", { operationHash: bytes(9) })
      equals(yield* accept(store, other, plenty), { _tag: "QuoteUsed" })
    })),

  ...(["settled", "refunded"] as const).map((end) =>
    test(`stay with a swap that has been ${end}`, (store) =>
      Effect.gen(function* () {
        const first = yield* underWay(store, 1, { operation: operation("7") })
        yield* through(store, first, "origin_prepared", "origin_sent", "origin_final", end)
        equals(yield* accept(store, withNonce(2, "7"), plenty), used)
        equals(yield* isUsed(store, 7n), true)
      }))
  ),

  test("go to one of many concurrent operations, no matter which tokens they swap", (store) =>
    Effect.gen(function* () {
      const all = yield* Effect.forEach(
        Array.from({ length: 30 }, (_, number) => number),
        (number) => {
          const tokens = number % 2 === 0 ? {} : { inputToken: weth, outputToken: `0x${number}` }
          return accept(store, withNonce(number, `${number % 3}`, tokens), plenty)
        },
        { concurrency: "unbounded" }
      )
      equals(tagsOf(all), [...times(3, "Inserted"), ...times(27, "NonceUsed")])
      equals(yield* contentsOf(store), { swaps: 3, events: 3, reserved: 12n })
      for (const nonce of [0n, 1n, 2n]) equals(yield* isUsed(store, nonce), true)
    })),

  test("go to one of many concurrent operations while the swap that has the nonce fails", (store) =>
    Effect.gen(function* () {
      const first = yield* underWay(store, 1, { operation: operation("7") })
      const [, ...all] = yield* Effect.all(
        [
          store.change(to(first, "failed")),
          ...Array.from({ length: 10 }, (_, number) => accept(store, withNonce(number + 2, "7"), plenty))
        ],
        { concurrency: "unbounded" }
      )
      const met = all.filter((one): one is Answer => "_tag" in one)
      const inserted = met.filter(({ _tag }) => _tag === "Inserted").length
      holds(inserted <= 1, `expected at most one swap with the nonce, got ${inserted}.`)
      const last = yield* accept(store, withNonce(20, "7"), plenty)
      equals(tagsOf([...met, last]), ["Inserted", ...times(10, "NonceUsed")])
    }))
])
