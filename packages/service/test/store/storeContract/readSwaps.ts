/** Part of the store contract: reading and listing swaps. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import type { Filter, Store } from "../../../src/store/Store.js"
import { states } from "../../../src/store/SwapRecord.js"
import {
  aMinute,
  bytes,
  held,
  order,
  plenty,
  type Stored,
  through,
  to,
  underWay,
  usdc,
  weth,
  working
} from "./fixture.js"

const idsOf = (store: Store["Service"], filter: Partial<Filter> = {}) =>
  Effect.map(store.list({ limit: 100, ...filter }), (swaps) => swaps.map(({ id }) => id))

const first = 1_767_225_600_000
const other = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"

export const readSwapsContract = (stored: Stored) =>
  describe("reading", () => {
    it.effect("returns which of any number of swaps have finished", () =>
      stored((store) =>
        Effect.gen(function* () {
          const swaps = yield* working(store, ...[1, 2, 3, 4, 5].map((number) => order(number)))
          const [one, two, three, four] = swaps
          if (!one || !two || !three || !four) return expect.unreachable()
          yield* store.change(to(one, "settled"))
          yield* store.change(to(two, "failed"))
          yield* store.change(to(three, "refunded"))
          yield* store.change(to(four, "refund_sent"))
          expect(yield* store.ended([])).toStrictEqual([])
          expect(yield* store.ended(["swap-4", "swap-5", "unknown"])).toStrictEqual([])
          expect(yield* store.ended(["swap-2"])).toStrictEqual(["swap-2"])
          const many = Array.from({ length: 40_000 }, (_, number) => `other-${number}`)
          const ended = yield* store.ended(["swap-1", ...many, "swap-2", "swap-3", "swap-4"])
          expect(ended.toSorted()).toStrictEqual(["swap-1", "swap-2", "swap-3"])
        })
      )
    )

    it.effect("lists the newest or the oldest first, as whole swaps", () =>
      stored((store) =>
        Effect.gen(function* () {
          for (const number of [2, 1, 3]) yield* store.accept(order(number), plenty)
          expect(yield* idsOf(store)).toStrictEqual(["swap-3", "swap-2", "swap-1"])
          expect(yield* idsOf(store, { oldestFirst: true })).toStrictEqual(["swap-1", "swap-2", "swap-3"])
          expect(yield* idsOf(store, { limit: 2 })).toStrictEqual(["swap-3", "swap-2"])
          expect(yield* idsOf(store, { limit: 0 })).toStrictEqual([])
          expect(yield* idsOf(store, { limit: -1 })).toStrictEqual([])
          expect(yield* store.list({ limit: 1 })).toStrictEqual([
            { ...order(3), state: "accepted", version: 0, updatedAt: 0, reserved: true }
          ])
        })
      )
    )

    it.effect("continues after the last swap of a page, even among swaps of the same time", () =>
      stored((store) =>
        Effect.gen(function* () {
          for (const number of [1, 2, 3, 4, 5]) {
            yield* store.accept(order(number, { createdAt: first + (number > 3 ? 1 : 0) }), plenty)
          }
          const walk = Effect.fnUntraced(function* (oldestFirst: boolean) {
            const seen: Array<string> = []
            let after: Filter["after"]
            for (;;) {
              const page = yield* store.list({ limit: 2, after, oldestFirst })
              seen.push(...page.map(({ id }) => id))
              after = page.at(-1)
              if (after === undefined) return seen
            }
          })
          expect(yield* walk(true)).toStrictEqual(["swap-1", "swap-2", "swap-3", "swap-4", "swap-5"])
          expect(yield* walk(false)).toStrictEqual(["swap-5", "swap-4", "swap-3", "swap-2", "swap-1"])
        })
      )
    )

    it.effect("lists swaps that match all filters", () =>
      stored((store) =>
        Effect.gen(function* () {
          const swaps = yield* working(
            store,
            order(1),
            order(2, { accountId: "account-2" }),
            order(3, { wallet: other }),
            order(4, { wallet: other, accountId: "account-2" }),
            order(5)
          )
          const [one, two, three] = swaps
          if (!one || !two || !three) return expect.unreachable()
          yield* store.change(to(one, "settled"))
          yield* store.change(to(two, "failed"))
          yield* store.change(to(three, "refund_sent"))
          const list = (filter: Partial<Filter>) => idsOf(store, { oldestFirst: true, ...filter })
          expect(yield* list({ state: "failed" })).toStrictEqual(["swap-2"])
          expect(yield* list({ state: "origin_sent" })).toStrictEqual([])
          expect(yield* list({ open: true })).toStrictEqual(["swap-3", "swap-4", "swap-5"])
          expect(yield* list({ open: false })).toStrictEqual(["swap-1", "swap-2"])
          expect(yield* list({ accountId: "account-2" })).toStrictEqual(["swap-2", "swap-4"])
          expect(yield* list({ wallet: other.toLowerCase() })).toStrictEqual(["swap-3", "swap-4"])
          expect(yield* list({ since: first + 4 })).toStrictEqual(["swap-4", "swap-5"])
          expect(yield* list({ until: first + 2 })).toStrictEqual(["swap-1"])
          expect(yield* list({ since: first + 2, until: first + 4 })).toStrictEqual(["swap-2", "swap-3"])
          expect(yield* list({ open: true, accountId: "account-2", wallet: other })).toStrictEqual(["swap-4"])
          expect(yield* list({ open: false, state: "refund_sent" })).toStrictEqual([])
        })
      )
    )

    it.effect("counts pending swaps by state, with the oldest of each", () =>
      stored((store) =>
        Effect.gen(function* () {
          expect(yield* store.underway).toStrictEqual([])
          yield* TestClock.setTime(1_000)
          const swaps = yield* working(store, ...[1, 2, 3, 4, 5].map((number) => order(number)))
          const [one, two, three, four] = swaps
          if (!one || !two || !three || !four) return expect.unreachable()
          yield* TestClock.setTime(2_000)
          yield* store.change(to(three, "origin_sent"))
          yield* TestClock.setTime(3_000)
          yield* store.change(to(two, "origin_sent"))
          yield* store.change(to(four, "settled"))
          expect(yield* store.underway).toStrictEqual([
            { state: "accepted", count: 2, oldestCreatedAt: first + 1, oldestUpdatedAt: 1_000 },
            { state: "origin_sent", count: 2, oldestCreatedAt: first + 2, oldestUpdatedAt: 2_000 }
          ])
        })
      )
    )

    it.effect.each(states)("counts a swap in state %s as pending unless the state is terminal", (state) =>
      stored((store) =>
        Effect.gen(function* () {
          yield* through(store, yield* underWay(store), ...(state === "accepted" ? [] : [state]))
          const open = !["settled", "failed", "refunded"].includes(state)
          expect((yield* store.underway).map((each) => each.state)).toStrictEqual(open ? [state] : [])
          expect(yield* idsOf(store, { open })).toStrictEqual(["swap-1"])
          expect(yield* idsOf(store, { open: !open })).toStrictEqual([])
          expect(yield* store.ended(["swap-1"])).toStrictEqual(open ? [] : ["swap-1"])
        })
      )
    )

    it.effect("sums the reservations of each token, beyond the range of database numbers", () =>
      stored((store) =>
        Effect.gen(function* () {
          expect(yield* store.reserved).toStrictEqual([])
          const most = 2n ** 255n
          const limits = { ...plenty, inventory: held(2n ** 300n) }
          yield* store.accept(order(1, { output: most }), limits)
          yield* store.accept(order(2, { output: most, outputToken: weth.toLowerCase() }), limits)
          yield* store.accept(order(3, { output: 5n, outputToken: usdc }), limits)
          yield* store.accept(order(4, { output: 7n, destinationChain: 5 }), limits)
          const [ending] = yield* store.claim({ owner: "worker-1", leaseMillis: aMinute, limit: 1 })
          const promised = [
            { chainId: 5, token: weth.toLowerCase(), amount: 7n },
            { chainId: 31_338, token: usdc.toLowerCase(), amount: 5n }
          ]
          const ofWeth = (amount: bigint) => ({ chainId: 31_338, token: weth.toLowerCase(), amount })
          expect(yield* store.reserved).toStrictEqual([...promised, ofWeth(2n ** 256n)])
          if (ending === undefined) return expect.unreachable()
          yield* store.change(to(ending, "settled"))
          expect(yield* store.reserved).toStrictEqual([...promised, ofWeth(most)])
        })
      )
    )

    it.effect("stores the trace of a swap, if it has one", () =>
      stored((store) =>
        Effect.gen(function* () {
          const trace = `00-${"4b".repeat(16)}-${"00f0".repeat(4)}-01`
          yield* store.accept(order(1, { trace }), plenty)
          yield* store.accept(order(2), plenty)
          const claimed = yield* store.claim({ owner: "worker-1", leaseMillis: aMinute, limit: 2 })
          expect(claimed.map((swap) => swap.trace)).toStrictEqual([trace, undefined])
          expect(yield* store.swapOfOrder(bytes(1))).toStrictEqual(Option.fromUndefinedOr(claimed[0]))
          expect(yield* store.swap("swap-2")).toStrictEqual(Option.some(claimed[1]))
          expect(claimed[1]).not.toHaveProperty("trace")
          // A replay is of the first request.
          const again = yield* store.accept(order(1, { id: "again", trace: "another" }), plenty)
          expect(again).toMatchObject({ _tag: "Existing", swap: { trace } })
        })
      )
    )
  })
