/** Part of the store contract: concurrent acceptances, which a store may write together. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import type { Accepted } from "../../domain/SwapRecord.js"
import type { Store } from "../../store/Store.js"
import { equals, matches } from "../contractAssertions.js"
import {
  type Answer,
  bytes,
  contentsOf,
  held,
  order,
  plenty,
  someTurns,
  to,
  underWay,
  usdc,
  wallet,
  weth,
  accept,
  type Limits
} from "./fixture.js"
import { type Case, group, property, test } from "./storeCase.js"

type Submit = readonly [swap: Accepted, limits: Limits]

const together = (store: Store, submits: ReadonlyArray<Submit>) =>
  Effect.forEach(submits, ([swap, limits]) => accept(store, swap, limits), { concurrency: "unbounded" })

const tagsOf = (acceptances: ReadonlyArray<Answer>) => acceptances.map(({ _tag }) => _tag)

const operation = (nonce: number): Accepted["operation"] => ({
  _tag: "evm",
  delegate: weth,
  nonce: `${nonce}`,
  deadline: 1_767_225_690,
  signature: `0x${"5b".repeat(65)}`,
  vault: "vault",
  method: "message"
})

const below = (end: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: end - 1 }))

/** A submission from a few orders, accounts, wallets, nonces and tokens, so that most of them conflict. */
const Submission = Schema.Struct({
  order: below(6),
  account: below(2),
  wallet: below(3),
  nonce: below(5),
  token: below(2),
  amount: below(4),
  output: below(4),
  balance: below(9),
  inventory: below(9),
  until: Schema.Literals([4_999, 5_000, 5_001])
})

const Submissions = Schema.Array(Submission).check(Schema.isMinLength(5), Schema.isMaxLength(40))

/** The same submissions in two copies of the world are independent of each other. */
const submitOf = (submission: typeof Submission.Type, index: number, world: number): Submit => [
  order(world * 1_000 + submission.order, {
    id: `swap-${world}-${index}`,
    accountId: `account-${submission.account}`,
    operationHash: bytes(1_000_000 + submission.order),
    originChain: 100 + world,
    destinationChain: 200 + world,
    wallet: `0x${submission.wallet}`,
    outputToken: submission.token === 0 ? weth : usdc,
    amount: BigInt(submission.amount),
    output: BigInt(submission.output),
    operation: operation(submission.nonce)
  }),
  { balance: held(BigInt(submission.balance)), inventory: held(BigInt(submission.inventory)), until: submission.until }
]

/** A result without the values in which the two worlds differ. */
const comparable = (acceptance: Answer) =>
  "swap" in acceptance ? { _tag: acceptance._tag, id: acceptance.swap.id.split("-")[2] } : acceptance

export const acceptGroupsCases: ReadonlyArray<Case> = group("concurrent acceptances", [
  property("have the same results as acceptances one after the other", Submissions, (store, submissions) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(5_000)
      const inWorld = (world: number) => submissions.map((submission, index) => submitOf(submission, index, world))
      const atOnce = yield* together(store, inWorld(1))
      const oneByOne = yield* Effect.forEach(inWorld(2), ([swap, limits]) => accept(store, swap, limits))
      equals(atOnce.map(comparable), oneByOne.map(comparable))
    })
  ),

  test("return the first swap to submissions for the same order, and refuse other operations", (store) =>
    Effect.gen(function* () {
      const all = yield* together(store, [
        [order(1), plenty],
        [order(1, { id: "again" }), plenty],
        [order(1, { id: "other", operationHash: bytes(2) }), plenty],
        [order(1, { id: "account", accountId: "account-2" }), plenty]
      ])
      equals(tagsOf(all), ["Inserted", "Existing", "QuoteUsed", "QuoteUsed"])
      const [inserted, existing] = all
      equals(inserted && "swap" in inserted && inserted.swap, existing && "swap" in existing && existing.swap)
      equals(yield* contentsOf(store), { swaps: 1, events: 1, reserved: 4n })
    })),

  test("use a nonce once, and a balance and an inventory to the last unit", (store) =>
    Effect.gen(function* () {
      const nonces = yield* together(store, [
        [order(1, { operation: operation(7) }), plenty],
        [order(2, { operation: operation(7) }), plenty],
        [order(3, { operation: operation(7), wallet: weth }), plenty]
      ])
      equals(tagsOf(nonces), ["Inserted", "NonceUsed", "Inserted"])
      const limits = { balance: held(30n), inventory: held(13n) }
      const limited = yield* together(store, [
        [order(4), limits],
        [order(5, { amount: 11n }), limits],
        [order(6, { wallet: usdc, output: 2n }), limits],
        [order(7, { wallet: usdc, output: 1n }), limits]
      ])
      equals(limited.slice(1), [
        { _tag: "input exceeded", used: 20n },
        { _tag: "output exceeded", used: 12n },
        ...limited.slice(3)
      ])
      equals(tagsOf(limited), ["Inserted", "input exceeded", "output exceeded", "Inserted"])
    })),

  test("of which one is late or outdated do not affect the others", (store) =>
    Effect.gen(function* () {
      yield* store.change(to(yield* underWay(store, 1, { destinationChain: 9 }), "settled", { block: 100n }))
      yield* TestClock.setTime(5_000)
      const all = yield* together(store, [
        [order(2), { ...plenty, until: 5_000 }],
        [order(3, { destinationChain: 9 }), plenty],
        [order(4), { ...plenty, until: 5_001 }]
      ])
      equals(tagsOf(all), ["Late", "Outdated", "Inserted"])
      equals(yield* store.swapOfExpiredOrder(order(2).orderId), Option.none())
    })),

  test("of which one cannot be stored do not affect the others", (store) =>
    Effect.gen(function* () {
      yield* accept(store, order(1), plenty)
      // The first of these has the id of another swap, and the second a time that is not a whole number.
      const swaps = [order(2, { id: "swap-1" }), order(3, { createdAt: 0.5 }), order(4), order(5), order(6)]
      const exits = yield* Effect.forEach(swaps, (swap) => Effect.exit(accept(store, swap, plenty)), {
        concurrency: "unbounded"
      })
      equals(exits.map(Exit.isSuccess), [false, false, true, true, true])
      equals(exits.map(Exit.hasDies), [false, true, false, false, false])
      equals(yield* contentsOf(store), { swaps: 4, events: 4, reserved: 16n })
      equals(yield* store.swapOfOrder(order(2).orderId), Option.none())
      matches(yield* store.swap("swap-1"), { value: { orderId: order(1).orderId } })
    })),

  test("of which one caller is interrupted are not lost", (store) =>
    Effect.gen(function* () {
      const fibers = yield* Effect.forEach([1, 2, 3], (number) =>
        Effect.forkChild(accept(store, order(number), plenty))
      )
      yield* someTurns
      for (const fiber of fibers.slice(0, 1)) yield* Fiber.interrupt(fiber)
      const rest = yield* Effect.forEach(fibers.slice(1), Fiber.join)
      equals(tagsOf(rest), ["Inserted", "Inserted"])
      matches(yield* accept(store, order(4, { wallet }), plenty), { _tag: "Inserted" })
    }))
])
