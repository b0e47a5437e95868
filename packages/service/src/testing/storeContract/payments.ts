/** Part of the store contract: payments without a delegation, what limits them, and what was lost with them. */
import * as Effect from "effect/Effect"
import type { LostCollection } from "../../domain/LostCollection.js"
import type { Accepted, CollectMethod } from "../../domain/SwapRecord.js"
import { equals, holds, matches } from "../contractAssertions.js"
import { accept, me, order, plenty, through, to, underWay, usdc, wallet, weth } from "./fixture.js"
import { type Case, group, test } from "./storeCase.js"

const vault = "0x5aa2e2b6b1c9d7e1c1f0a87f6d4b3c2d1e0f9a8b"
const target = "0x9a1fc8c0369d49f3040bf49c1490e7006657ea56"
const otherTarget = "0x9a1fc8c0369d49f3040bf49c1490e7006657ea57"

/** The swap for an order that is paid with a method. */
const paid = (
  number: number,
  method: CollectMethod,
  nonce: string,
  over: Partial<Accepted> = {},
  more = {}
): Accepted =>
  order(number, {
    operation: {
      _tag: "evm",
      delegate: "0x0000000000000000000000000000000000000000",
      nonce,
      deadline: 1_767_225_690,
      signature: `0x${"5b".repeat(65)}`,
      vault,
      method,
      ...(method === "erc2612" && { permitSignature: `0x${"6b".repeat(65)}` }),
      ...more
    },
    ...over
  })

const lost = (number: number, over: Partial<LostCollection> = {}): LostCollection => ({
  swapId: `swap-${number}`,
  hash: `0x${number}`,
  account: `account-${number}`,
  chainId: 31_337,
  method: "eip3009",
  wallet: wallet.toLowerCase(),
  gas: 80_000n,
  isStrike: true,
  isFinal: true,
  at: 1_767_225_600_000 + number,
  ...over
})

export const paymentsCases: ReadonlyArray<Case> = group("payments", [
  test("have indices and nonces that are independent of the account's", (store) =>
    Effect.gen(function* () {
      const word = { word: 0n, used: 1n }
      equals(yield* store.takeOperationNonce(31_337, wallet, word, "permit2"), { _tag: "Taken", index: 1n })
      equals(yield* store.takeOperationNonce(31_337, wallet, { word: 0n, used: 0n }), { _tag: "Taken", index: 0n })
      matches(yield* accept(store, paid(1, "permit2", "permit2:1"), plenty), { _tag: "Inserted" })
      equals(yield* store.isOperationNonceUsed(31_337, wallet, 1n, "permit2"), true)
      equals(yield* store.isOperationNonceUsed(31_337, wallet, 1n), false)
      equals(yield* accept(store, paid(2, "erc2612", "permit2:1"), plenty), { _tag: "NonceUsed" })
      const operation = { ...paid(3, "typed", "1").operation, delegate: weth }
      matches(yield* accept(store, order(3, { operation }), plenty), { _tag: "Inserted" })
    })),

  test("with a permit are accepted one at a time per chain, wallet and token", (store) =>
    Effect.gen(function* () {
      const swap = yield* underWay(store, 1, paid(1, "erc2612", "permit2:0"))
      const next = paid(2, "erc2612", "permit2:1")
      matches(yield* accept(store, next, plenty), { _tag: "approval exceeded" })
      matches(yield* accept(store, { ...next, wallet: wallet.toLowerCase() }, plenty), { _tag: "approval exceeded" })
      for (const other of [
        paid(3, "eip3009", "eip3009:2"),
        paid(4, "erc2612", "permit2:3", { inputToken: weth, outputToken: usdc }),
        paid(5, "erc2612", "permit2:3", { originChain: 31_338 }),
        paid(6, "erc2612", "permit2:3", { wallet: `${wallet.slice(0, -1)}7` })
      ])
        matches(yield* accept(store, other, plenty), { _tag: "Inserted" })
      yield* through(store, swap, "origin_prepared", "origin_sent", "origin_final")
      matches(yield* accept(store, next, plenty), { _tag: "Inserted" })
    })),

  test("with an approval are accepted together only as far as the wallet has approved", (store) =>
    Effect.gen(function* () {
      const { amount } = order(1)
      const limits = { ...plenty, approval: { amount: 2n * amount, block: 100n } }
      const pay = (number: number, over: Partial<Accepted> = {}) =>
        accept(store, paid(number, "permit2", `permit2:${number}`, over), limits)
      const all = yield* Effect.forEach(
        Array.from({ length: 8 }, (_, number) => number),
        (number) => pay(number),
        { concurrency: "unbounded" }
      )
      equals(all.filter(({ _tag }) => _tag === "Inserted").length, 2)
      equals(
        all.filter(({ _tag }) => _tag !== "Inserted"),
        Array.from({ length: 6 }, () => ({ _tag: "approval exceeded", used: 2n * amount }))
      )
      // The permit would replace the approval that the accepted payments need.
      matches(yield* accept(store, paid(20, "erc2612", "permit2:20"), plenty), { _tag: "approval exceeded" })
      // Other payments do not use the approval.
      matches(yield* accept(store, paid(21, "eip3009", "eip3009:21"), limits), { _tag: "Inserted" })
      matches(yield* pay(22, { wallet: `${wallet.slice(0, -1)}7` }), { _tag: "Inserted" })
      matches(yield* pay(23, { inputToken: weth, outputToken: usdc }), { _tag: "Inserted" })
    })),

  test("with an approval no longer need it from the block that includes the collection", (store) =>
    Effect.gen(function* () {
      const { amount } = order(1)
      const at = (block: bigint) => ({ ...plenty, approval: { amount, block } })
      const swap = yield* underWay(store, 1, paid(1, "permit2", "permit2:1"))
      const sent = yield* through(store, swap, "origin_prepared", "origin_sent")
      yield* store.change({ ...to(sent, "origin_sent"), owner: me, originBlock: 50n })
      equals(yield* accept(store, paid(2, "permit2", "permit2:2"), at(49n)), {
        _tag: "approval exceeded",
        used: amount
      })
      matches(yield* accept(store, paid(2, "permit2", "permit2:2"), at(50n)), { _tag: "Inserted" })
    })),

  test("with a permit are accepted one at a time, also if they are submitted at once", (store) =>
    Effect.gen(function* () {
      const all = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, number) => number),
        (number) => accept(store, paid(number, "erc2612", `permit2:${number}`), plenty),
        { concurrency: "unbounded" }
      )
      equals(all.filter(({ _tag }) => _tag === "Inserted").length, 1)
      equals(all.filter(({ _tag }) => _tag === "approval exceeded").length, 19)
    })),

  test("of wallets with the same target are limited", (store) =>
    Effect.gen(function* () {
      const from = (number: number, aim: string) =>
        paid(number, "eip3009", `eip3009:${number}`, { wallet: `0x${number}` }, { target: aim })
      const limits = { ...plenty, inFlightPerTarget: 2 }
      const all = yield* Effect.forEach(
        Array.from({ length: 10 }, (_, number) => number),
        (number) => accept(store, from(number, target), limits),
        { concurrency: "unbounded" }
      )
      equals(all.filter(({ _tag }) => _tag === "Inserted").length, 2)
      equals(all.filter(({ _tag }) => _tag === "target exceeded").length, 8)
      matches(yield* accept(store, from(20, otherTarget), limits), { _tag: "Inserted" })
      matches(yield* accept(store, paid(21, "eip3009", "eip3009:21"), limits), { _tag: "Inserted" })
      const [first] = yield* store.claim({ owner: "me", leaseMillis: 1_000, limit: 1 })
      if (first === undefined) return holds(false, "a swap can be claimed")
      yield* store.change({ ...to(first, "failed"), owner: "me" })
      const isFirst = first.operation._tag === "evm" && first.operation.target === target
      matches(yield* accept(store, from(22, target), limits), { _tag: isFirst ? "Inserted" : "target exceeded" })
    })),

  test("whose collections were lost are recorded by transaction, chain and time", (store) =>
    Effect.gen(function* () {
      const { losses } = store
      const [first, second] = [lost(1, { target, gas: 2n ** 60n }), lost(2, { isStrike: false, visitor: "a visitor" })]
      equals(yield* losses.record({ ...first, gas: 1n, isStrike: false, isFinal: false }), true)
      equals(yield* losses.record({ ...first, at: first.at + 10 }), true)
      equals(yield* losses.record({ ...first, gas: 1n, isStrike: false }), false)
      yield* losses.record(second)
      yield* losses.record(lost(3, { chainId: 31_338 }))
      equals(yield* losses.since(31_337, 0), [first, second])
      equals(yield* losses.since(31_337, second.at), [second])
      equals(yield* losses.since(31_337, second.at + 1), [])
      equals(yield* losses.since(31_339, 0), [])
    })),

  test("whose inputs are collected nevertheless keep only the losses that are final", (store) =>
    Effect.gen(function* () {
      const { losses } = store
      for (const [number, ...states] of [
        [1, "origin_prepared", "origin_sent", "origin_final"],
        [2, "origin_prepared", "origin_sent", "failed"]
      ] as const) {
        const swap = yield* underWay(store, number)
        const of = { swapId: swap.id, chainId: swap.originChain }
        yield* losses.record(lost(number, { ...of, hash: "0xa", isFinal: false }))
        yield* losses.record(lost(number, { ...of, hash: "0xb" }))
        const [before, last] = [states.slice(0, -1), states.slice(-1)]
        const sent = yield* through(store, swap, ...before)
        equals((yield* losses.since(swap.originChain, 0)).filter(({ swapId }) => swapId === swap.id).length, 2)
        yield* through(store, sent, ...last)
        const left = (yield* losses.since(swap.originChain, 0)).filter(({ swapId }) => swapId === swap.id)
        equals(left, [lost(number, { ...of, hash: "0xb" })])
      }
    }))
])
