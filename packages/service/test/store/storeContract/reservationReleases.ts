/** Part of the store contract: a balance that is older than the release of a reservation decides nothing. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Limits } from "../../../src/store/Store.js"
import type { Accepted, State } from "../../../src/store/SwapRecord.js"
import { held, order, plenty, type Stored, through, to, underWay, usdc, wallet, weth, working } from "./fixture.js"

const up = (address: string) => `0x${address.slice(2).toUpperCase()}`

/** Plenty, at these blocks. */
const at = (balance: bigint, inventory: bigint): Limits => ({
  balance: held(plenty.balance.amount, balance),
  inventory: held(plenty.inventory.amount, inventory)
})

/** Moves a swap to a state whose transaction is in a block. */
const released = (store: Parameters<typeof underWay>[0], state: State, block: bigint) =>
  Effect.flatMap(underWay(store), (swap) => store.change(to(swap, state, { block })))

export const reservationReleasesContract = (stored: Stored) =>
  describe("a released reservation", () => {
    const bounds: ReadonlyArray<readonly [State, Limits, Limits, Partial<Record<string, bigint>>]> = [
      ["origin_final", at(99n, 0n), at(100n, 0n), { balanceSince: 100n, inventorySince: 0n }],
      ["settled", at(0n, 99n), at(0n, 100n), { balanceSince: 0n, inventorySince: 100n }]
    ]
    it.effect.each(bounds)("by %s outdates balances at an older block", ([state, older, asNew, since]) =>
      stored((store) =>
        Effect.gen(function* () {
          yield* released(store, state, 100n)
          expect(yield* store.accept(order(2), older)).toStrictEqual({ _tag: "Outdated", ...since })
          expect((yield* store.accept(order(2), asNew))._tag).toBe("Inserted")
        })
      )
    )

    it.effect("also outdates a balance that would be too low, because the refusal might be wrong", () =>
      stored((store) =>
        Effect.gen(function* () {
          yield* released(store, "origin_final", 100n)
          const little = { ...at(99n, 0n), balance: held(0n, 99n) }
          expect((yield* store.accept(order(2), little))._tag).toBe("Outdated")
          const inVault = { ...at(99n, 0n), inventory: held(0n, 0n) }
          expect((yield* store.accept(order(2), inVault))._tag).toBe("Outdated")
        })
      )
    )

    it.effect("is recorded with the newest block, in any order of releases", () =>
      stored((store) =>
        Effect.gen(function* () {
          const swaps = yield* working(store, order(1), order(2), order(4))
          for (const [index, block] of [100n, 90n].entries()) {
            yield* store.change(to(swaps[index] ?? expect.unreachable(), "settled", { block }))
          }
          expect(yield* store.accept(order(3), at(0n, 99n))).toMatchObject({ _tag: "Outdated", inventorySince: 100n })
          yield* store.change(to(swaps[2] ?? expect.unreachable(), "settled", { block: 101n }))
          expect(yield* store.accept(order(3), at(0n, 100n))).toMatchObject({ _tag: "Outdated", inventorySince: 101n })
        })
      )
    )

    const others: ReadonlyArray<readonly [string, Partial<Accepted>, boolean, boolean]> = [
      ["the same wallet and token in another case", { wallet: up(wallet), inputToken: up(usdc) }, true, true],
      ["the same token from another wallet", { wallet: weth }, false, true],
      ["another input token", { inputToken: weth }, false, true],
      ["another origin", { originChain: 1 }, false, true],
      ["another output token", { outputToken: usdc }, true, false],
      ["another destination", { destinationChain: 5 }, true, false]
    ]
    it.effect.each(others)("concerns %s, or not", ([, over, wallets, vaults]) =>
      stored((store) =>
        Effect.gen(function* () {
          const final = yield* released(store, "origin_final", 100n)
          yield* store.change(to(final, "settled", { block: 200n }))
          const met = yield* store.accept(order(2, over), at(0n, 0n))
          expect(met).toMatchObject({
            _tag: "Outdated",
            balanceSince: wallets ? 100n : 0n,
            inventorySince: vaults ? 200n : 0n
          })
        })
      )
    )

    const unmoved: ReadonlyArray<State> = ["failed", "refund_prepared", "refund_sent", "refunded"]
    it.effect.each(unmoved)("by %s outdates nothing, because no funds moved", (state) =>
      stored((store) =>
        Effect.gen(function* () {
          yield* released(store, state, 100n)
          expect((yield* store.accept(order(2), at(0n, 0n)))._tag).toBe("Inserted")
        })
      )
    )

    it.effect("may have no block, as from a replica of the previous version", () =>
      stored((store) =>
        Effect.gen(function* () {
          yield* through(store, yield* underWay(store), "origin_final", "settled")
          expect(yield* store.reserved).toStrictEqual([])
          expect((yield* store.accept(order(2), at(0n, 0n)))._tag).toBe("Inserted")
        })
      )
    )

    it.effect("is not recorded if the change lost, because another worker claimed the swap", () =>
      stored((store) =>
        Effect.gen(function* () {
          const swap = yield* underWay(store)
          yield* Effect.flip(store.change(to(swap, "settled", { block: 100n, owner: "worker-2" })))
          expect((yield* store.accept(order(2), at(0n, 0n)))._tag).toBe("Inserted")
        })
      )
    )

    it.effect("does not hide the existing swap of an order", () =>
      stored((store) =>
        Effect.gen(function* () {
          yield* released(store, "settled", 100n)
          expect(yield* store.accept(order(1), at(0n, 0n))).toMatchObject({ _tag: "Existing", swap: { id: "swap-1" } })
        })
      )
    )

    it.effect("is never accepted twice, however submits and releases interleave", () =>
      stored((store) =>
        Effect.gen(function* () {
          // The vault has 40 at block 0, and 4 less after each delivery: as many swaps fit, in any order of releases.
          const swaps = yield* Effect.forEach(
            Array.from({ length: 5 }, (_, number) => number),
            (number) => underWay(store, number, { wallet: `0x${number}` })
          )
          const submits = Array.from({ length: 30 }, (_, number) =>
            store.accept(order(100 + number, { wallet: `0x${100 + number}` }), {
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
          expect(reserved).toBeLessThanOrEqual(20n)
        })
      )
    )
  })
