/** Part of the store contract: reading and listing swaps. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { isTerminal, states } from "../../domain/SwapRecord.js"
import type { Filter, Store } from "../../store/Store.js"
import { equals, holds, matches } from "../contractAssertions.js"
import {
  aMinute,
  bytes,
  held,
  notClaimed,
  order,
  plenty,
  through,
  to,
  underWay,
  usdc,
  weth,
  working,
  accept
} from "./fixture.js"
import { type Case, group, test } from "./storeCase.js"

const idsOf = (store: Store, filter: Partial<Filter> = {}) =>
  Effect.map(store.list({ limit: 100, ...filter }), (swaps) => swaps.map(({ id }) => id))

const first = 1_767_225_600_000
const other = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"

export const readSwapsCases: ReadonlyArray<Case> = group("reading", [
  test("returns which of any number of swaps have finished", (store) =>
    Effect.gen(function* () {
      const swaps = yield* working(store, ...[1, 2, 3, 4, 5].map((number) => order(number)))
      const [one, two, three, four] = swaps
      if (!one || !two || !three || !four) return notClaimed()
      yield* store.change(to(one, "settled"))
      yield* store.change(to(two, "failed"))
      yield* store.change(to(three, "refunded"))
      yield* store.change(to(four, "refund_sent"))
      equals(yield* store.ended([]), [])
      equals(yield* store.ended(["swap-4", "swap-5", "unknown"]), [])
      equals(yield* store.ended(["swap-2"]), ["swap-2"])
      const many = Array.from({ length: 40_000 }, (_, number) => `other-${number}`)
      const ended = yield* store.ended(["swap-1", ...many, "swap-2", "swap-3", "swap-4"])
      equals(ended.toSorted(), ["swap-1", "swap-2", "swap-3"])
    })),

  test("lists complete swaps, with the newest or the oldest first", (store) =>
    Effect.gen(function* () {
      for (const number of [2, 1, 3]) yield* accept(store, order(number), plenty)
      equals(yield* idsOf(store), ["swap-3", "swap-2", "swap-1"])
      equals(yield* idsOf(store, { oldestFirst: true }), ["swap-1", "swap-2", "swap-3"])
      equals(yield* idsOf(store, { limit: 2 }), ["swap-3", "swap-2"])
      equals(yield* idsOf(store, { limit: 0 }), [])
      equals(yield* idsOf(store, { limit: -1 }), [])
      equals(yield* store.list({ limit: 1 }), [
        { ...order(3), state: "accepted", version: 0, updatedAt: 0, reserved: true }
      ])
    })),

  test("continues after the last swap on a page, even among swaps with the same time", (store) =>
    Effect.gen(function* () {
      for (const number of [1, 2, 3, 4, 5]) {
        yield* accept(store, order(number, { createdAt: first + (number > 3 ? 1 : 0) }), plenty)
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
      equals(yield* walk(true), ["swap-1", "swap-2", "swap-3", "swap-4", "swap-5"])
      equals(yield* walk(false), ["swap-5", "swap-4", "swap-3", "swap-2", "swap-1"])
    })),

  test("lists swaps that match all filters", (store) =>
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
      if (!one || !two || !three) return notClaimed()
      yield* store.change(to(one, "settled"))
      yield* store.change(to(two, "failed"))
      yield* store.change(to(three, "refund_sent"))
      const list = (filter: Partial<Filter>) => idsOf(store, { oldestFirst: true, ...filter })
      equals(yield* list({ state: "failed" }), ["swap-2"])
      equals(yield* list({ state: "origin_sent" }), [])
      equals(yield* list({ open: true }), ["swap-3", "swap-4", "swap-5"])
      equals(yield* list({ open: false }), ["swap-1", "swap-2"])
      equals(yield* list({ accountId: "account-2" }), ["swap-2", "swap-4"])
      equals(yield* list({ wallet: other.toLowerCase() }), ["swap-3", "swap-4"])
      equals(yield* list({ since: first + 4 }), ["swap-4", "swap-5"])
      equals(yield* list({ until: first + 2 }), ["swap-1"])
      equals(yield* list({ since: first + 2, until: first + 4 }), ["swap-2", "swap-3"])
      equals(yield* list({ open: true, accountId: "account-2", wallet: other }), ["swap-4"])
      equals(yield* list({ open: false, state: "refund_sent" }), [])
    })),

  test("counts pending swaps by state, with the oldest times for each state", (store) =>
    Effect.gen(function* () {
      equals(yield* store.underway, [])
      yield* TestClock.setTime(1_000)
      const swaps = yield* working(store, ...[1, 2, 3, 4, 5].map((number) => order(number)))
      const [one, two, three, four] = swaps
      if (!one || !two || !three || !four) return notClaimed()
      yield* TestClock.setTime(2_000)
      yield* store.change(to(three, "origin_sent"))
      yield* TestClock.setTime(3_000)
      yield* store.change(to(two, "origin_sent"))
      yield* store.change(to(four, "settled"))
      equals(yield* store.underway, [
        { state: "accepted", count: 2, oldestCreatedAt: first + 1, oldestUpdatedAt: 1_000 },
        { state: "origin_sent", count: 2, oldestCreatedAt: first + 2, oldestUpdatedAt: 2_000 }
      ])
    })),

  ...states.map((state) =>
    test(`treats a swap in the ${state} state as ${isTerminal(state) ? "finished" : "pending"}`, (store) =>
      Effect.gen(function* () {
        yield* through(store, yield* underWay(store), ...(state === "accepted" ? [] : [state]))
        const open = !isTerminal(state)
        equals(
          (yield* store.underway).map((each) => each.state),
          open ? [state] : []
        )
        equals(yield* idsOf(store, { open }), ["swap-1"])
        equals(yield* idsOf(store, { open: !open }), [])
        equals(yield* store.ended(["swap-1"]), open ? [] : ["swap-1"])
      }))
  ),

  test("sums the reserved outputs for each token, beyond the range of database numbers", (store) =>
    Effect.gen(function* () {
      equals(yield* store.reserved, [])
      const most = 2n ** 255n
      const limits = { ...plenty, inventory: held(2n ** 300n) }
      yield* accept(store, order(1, { output: most }), limits)
      yield* accept(store, order(2, { output: most, outputToken: weth.toLowerCase() }), limits)
      yield* accept(store, order(3, { output: 5n, outputToken: usdc }), limits)
      yield* accept(store, order(4, { output: 7n, destinationChain: 5 }), limits)
      const [ending] = yield* store.claim({ owner: "worker-1", leaseMillis: aMinute, limit: 1 })
      const promised = [
        { chainId: 31_338, vault: "vault", token: usdc.toLowerCase(), amount: 5n },
        { chainId: 5, vault: "vault", token: weth.toLowerCase(), amount: 7n }
      ]
      const ofWeth = (amount: bigint) => ({ chainId: 31_338, vault: "vault", token: weth.toLowerCase(), amount })
      const inOrder = (amount: bigint) => [promised[0], ofWeth(amount), promised[1]]
      equals(yield* store.reserved, inOrder(2n ** 256n))
      if (ending === undefined) return notClaimed()
      yield* store.change(to(ending, "settled"))
      equals(yield* store.reserved, inOrder(most))
    })),

  test("stores a swap's trace, if it has one", (store) =>
    Effect.gen(function* () {
      const trace = `00-${"4b".repeat(16)}-${"00f0".repeat(4)}-01`
      yield* accept(store, order(1, { trace }), plenty)
      yield* accept(store, order(2), plenty)
      const claimed = yield* store.claim({ owner: "worker-1", leaseMillis: aMinute, limit: 2 })
      equals(
        claimed.map((swap) => swap.trace),
        [trace, undefined]
      )
      equals(yield* store.swapOfOrder(bytes(1)), Option.fromUndefinedOr(claimed[0]))
      equals(yield* store.swap("swap-2"), Option.some(claimed[1]))
      holds(!("trace" in (claimed[1] ?? notClaimed())), "expected no trace.")
      // A replay returns the first request's trace.
      const again = yield* accept(store, order(1, { id: "again", trace: "another" }), plenty)
      matches(again, { _tag: "Existing", swap: { trace } })
    }))
])
