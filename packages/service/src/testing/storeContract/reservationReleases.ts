/**
 * Part of the store contract: a balance that is older than a reservation's release is not used to accept or refuse a
 * swap.
 */
import * as Effect from "effect/Effect"
import type { Accepted, State } from "../../domain/SwapRecord.js"
import { equals, holds, matches } from "../contractAssertions.js"
import {
  held,
  notClaimed,
  order,
  plenty,
  through,
  to,
  underWay,
  usdc,
  wallet,
  weth,
  working,
  accept,
  type Limits
} from "./fixture.js"
import { type Case, group, test } from "./storeCase.js"

const up = (address: string) => `0x${address.slice(2).toUpperCase()}`

/** Ample balances at the given blocks. */
const at = (balance: bigint, inventory: bigint): Limits => ({
  balance: held(plenty.balance.amount, balance),
  inventory: held(plenty.inventory.amount, inventory)
})

/** Moves a swap to the given state, with the state's transaction in the given block. */
const released = (store: Parameters<typeof underWay>[0], state: State, block: bigint) =>
  Effect.flatMap(underWay(store), (swap) => store.change(to(swap, state, { block })))

const bounds: ReadonlyArray<readonly [State, Limits, Limits, Partial<Record<string, bigint>>]> = [
  ["origin_final", at(99n, 0n), at(100n, 0n), { balanceSince: 100n, inventorySince: 0n }],
  ["settled", at(0n, 99n), at(0n, 100n), { balanceSince: 0n, inventorySince: 100n }]
]

const others: ReadonlyArray<readonly [string, Partial<Accepted>, boolean, boolean]> = [
  ["the same wallet and token in different letter case", { wallet: up(wallet), inputToken: up(usdc) }, true, true],
  ["the same token from another wallet", { wallet: weth }, false, true],
  ["another input token", { inputToken: weth }, false, true],
  ["another origin", { originChain: 1 }, false, true],
  ["another output token", { outputToken: usdc }, true, false],
  ["another destination", { destinationChain: 5 }, true, false]
]

const unmoved: ReadonlyArray<State> = ["failed", "refund_prepared", "refund_sent", "refunded"]

export const reservationReleasesCases: ReadonlyArray<Case> = group("a released reservation", [
  ...bounds.map(([state, older, asNew, since]) =>
    test(`by ${state} makes balances at an older block outdated`, (store) =>
      Effect.gen(function* () {
        yield* released(store, state, 100n)
        equals(yield* accept(store, order(2), older), { _tag: "Outdated", ...since })
        equals((yield* accept(store, order(2), asNew))._tag, "Inserted")
      }))
  ),

  test("also makes an insufficient balance outdated, because the refusal might be wrong", (store) =>
    Effect.gen(function* () {
      yield* released(store, "origin_final", 100n)
      const little = { ...at(99n, 0n), balance: held(0n, 99n) }
      equals((yield* accept(store, order(2), little))._tag, "Outdated")
      const inVault = { ...at(99n, 0n), inventory: held(0n, 0n) }
      equals((yield* accept(store, order(2), inVault))._tag, "Outdated")
    })),

  test("is recorded with the latest block, in any order of releases", (store) =>
    Effect.gen(function* () {
      const swaps = yield* working(store, order(1), order(2), order(4))
      for (const [index, block] of [100n, 90n].entries()) {
        yield* store.change(to(swaps[index] ?? notClaimed(), "settled", { block }))
      }
      matches(yield* accept(store, order(3), at(0n, 99n)), { _tag: "Outdated", inventorySince: 100n })
      yield* store.change(to(swaps[2] ?? notClaimed(), "settled", { block: 101n }))
      matches(yield* accept(store, order(3), at(0n, 100n)), { _tag: "Outdated", inventorySince: 101n })
    })),

  ...others.map(([which, over, wallets, vaults]) =>
    test(`affects ${[...(wallets ? ["the balance"] : []), ...(vaults ? ["the inventory"] : [])].join(" and ")} for ${which}`, (store) =>
      Effect.gen(function* () {
        const final = yield* released(store, "origin_final", 100n)
        yield* store.change(to(final, "settled", { block: 200n }))
        const met = yield* accept(store, order(2, over), at(0n, 0n))
        matches(met, {
          _tag: "Outdated",
          balanceSince: wallets ? 100n : 0n,
          inventorySince: vaults ? 200n : 0n
        })
      }))
  ),

  ...unmoved.map((state) =>
    test(`by ${state} makes nothing outdated, because no funds moved`, (store) =>
      Effect.gen(function* () {
        yield* released(store, state, 100n)
        equals((yield* accept(store, order(2), at(0n, 0n)))._tag, "Inserted")
      }))
  ),

  test("may have no block", (store) =>
    Effect.gen(function* () {
      yield* through(store, yield* underWay(store), "origin_final", "settled")
      equals(yield* store.reserved, [])
      equals((yield* accept(store, order(2), at(0n, 0n)))._tag, "Inserted")
    })),

  test("is not recorded if the change failed because another worker had claimed the swap", (store) =>
    Effect.gen(function* () {
      const swap = yield* underWay(store)
      yield* Effect.flip(store.change(to(swap, "settled", { block: 100n, owner: "worker-2" })))
      equals((yield* accept(store, order(2), at(0n, 0n)))._tag, "Inserted")
    })),

  test("does not hide an order's existing swap", (store) =>
    Effect.gen(function* () {
      yield* released(store, "settled", 100n)
      matches(yield* accept(store, order(1), at(0n, 0n)), { _tag: "Existing", swap: { id: "swap-1" } })
    })),

  test("is never used twice, no matter how submits and releases interleave", (store) =>
    Effect.gen(function* () {
      // The vault has 40 units at block 0, and 4 fewer after each delivery. The same number of swaps is accepted,
      // regardless of the order in which the reservations are released.
      const swaps = yield* Effect.forEach(
        Array.from({ length: 5 }, (_, number) => number),
        (number) => underWay(store, number, { wallet: `0x${number}` })
      )
      const submits = Array.from({ length: 30 }, (_, number) =>
        accept(store, order(100 + number, { wallet: `0x${100 + number}` }), {
          ...plenty,
          inventory: held(40n, 0n)
        })
      )
      const deliveries = swaps.map((swap, index) => store.change(to(swap, "settled", { block: BigInt(index + 1) })))
      const both = submits.flatMap((submit, index) => {
        const delivery = index % 6 === 3 ? deliveries[Math.floor(index / 6)] : undefined
        return delivery === undefined ? [submit] : [submit, delivery]
      })
      yield* Effect.all(both, { concurrency: "unbounded" })
      const reserved = (yield* store.reserved).reduce((sum, { amount }) => sum + amount, 0n)
      holds(reserved <= 20n, `expected at most 20n, got ${reserved}.`)
    }))
])
