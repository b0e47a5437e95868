/** Part of the store contract: the reserved amounts always equal the outputs of the swaps that have a reservation. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { isTerminal, states, type SwapRecord } from "../../domain/SwapRecord.js"
import type { Store } from "../../store/Store.js"
import { equals } from "../contractAssertions.js"
import { aMinute, held, me, order, plenty, to, usdc, weth, accept, reserve } from "./fixture.js"
import { type Case, group, property, test } from "./storeCase.js"

const largest = 2n ** 256n - 1n

const below = (end: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: end - 1 }))

/** Something that a store is asked to do. The numbers select swaps, states, tokens and outputs. */
const Action = Schema.Struct({
  kind: Schema.Literals(["accept", "change", "release", "reserve", "refuse"]),
  which: below(30),
  state: Schema.Literals(states),
  token: below(3),
  output: Schema.Union([
    below(5),
    Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: largest })),
    Schema.Literals([largest])
  ])
})

const Actions = Schema.Array(Action).check(Schema.isMinLength(10), Schema.isMaxLength(40))

const places = [
  { destinationChain: 1, outputToken: weth },
  { destinationChain: 1, outputToken: usdc },
  { destinationChain: 2, outputToken: weth }
] as const

const sorted = (amounts: ReadonlyArray<readonly [key: string, amount: bigint]>) =>
  amounts.toSorted(([one], [other]) => (one < other ? -1 : 1))

/** The sums of the outputs of all swaps that have a reservation, by chain and token. */
const sumsOf = (swaps: ReadonlyArray<SwapRecord>) => {
  const sums = new Map<string, bigint>()
  for (const { destinationChain, output, outputToken, reserved } of swaps) {
    const key = `${destinationChain} ${outputToken.toLowerCase()}`
    if (reserved) sums.set(key, (sums.get(key) ?? 0n) + output)
  }
  return sorted([...sums].filter(([, amount]) => amount > 0n))
}

const totalsOf = Effect.fnUntraced(function* (store: Store) {
  const totals = yield* store.reserved
  return sorted(totals.map(({ amount, chainId, token }) => [`${chainId} ${token}`, amount] as const))
})

const perform = Effect.fnUntraced(function* (store: Store, action: typeof Action.Type, number: number) {
  const swaps = yield* store.list({ open: true, limit: 100 })
  const swap = swaps[action.which % Math.max(1, swaps.length)]
  switch (action.kind) {
    case "accept":
    case "refuse": {
      const limits = action.kind === "accept" ? { ...plenty, inventory: held(2n ** 300n) } : { ...plenty, until: 0 }
      const over = { ...places[action.token], wallet: `0x${number}`, output: BigInt(action.output) }
      yield* accept(store, order(number, over), limits)
      return yield* store.claim({ owner: me, leaseMillis: aMinute, limit: 1 })
    }
    case "change":
      return swap && (yield* store.change(to(swap, action.state)))
    case "release":
      return swap && !isTerminal(swap.state) && (yield* store.change(to(swap, swap.state, { releases: true })))
    case "reserve":
      return swap && (yield* Effect.ignore(reserve(store, swap, me, held(2n ** 300n))))
  }
})

export const reservationTotalsCases: ReadonlyArray<Case> = group("the reserved amounts", [
  property("equal the outputs of the swaps that have a reservation", Actions, (store, actions) =>
    Effect.gen(function* () {
      for (const [number, action] of actions.entries()) {
        yield* perform(store, action, number)
        equals(yield* totalsOf(store), sumsOf(yield* store.list({ limit: 100 })))
      }
    })
  ),

  test("equal the outputs, no matter how acceptances and releases interleave", (store) =>
    Effect.gen(function* () {
      const swapOf = (number: number) =>
        order(number, { ...places[number % 3], wallet: `0x${number}`, output: largest })
      const ample = { ...plenty, inventory: held(2n ** 300n) }
      for (let number = 0; number < 12; number++) yield* accept(store, swapOf(number), ample)
      const claimed = yield* store.claim({ owner: me, leaseMillis: aMinute, limit: 12 })
      const mixed = claimed.flatMap((swap, index) => [
        Effect.asVoid(accept(store, swapOf(100 + index), ample)),
        Effect.asVoid(store.change(to(swap, index % 2 === 0 ? "settled" : "failed")))
      ])
      yield* Effect.all(mixed, { concurrency: "unbounded" })
      equals(yield* totalsOf(store), sumsOf(yield* store.list({ limit: 100 })))
      equals(
        (yield* store.reserved).reduce((sum, { amount }) => sum + amount, 0n),
        12n * largest
      )
    }))
])
