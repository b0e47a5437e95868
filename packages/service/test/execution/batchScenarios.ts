/** Three swaps that share transactions, how each of them ends, and processes that die while they execute them. */
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as References from "effect/References"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import type { Kind } from "../../src/domain/SwapRecord.js"
import { bytes } from "../../src/testing/storeContract/fixture.js"
import { type Fate, reorganized, replaced, slow } from "../chains/scriptedChain.js"
import { fixture } from "./fixture.js"

export type Fixture = Effect.Success<typeof fixture>

/** Runs a test on its own chains and store, without the log of expected failures. */
export const on = <A, E>(test: (all: Fixture) => Effect.Effect<A, E, Scope.Scope>) =>
  Effect.scoped(Effect.flatMap(fixture, test)).pipe(
    Effect.provideService(References.MinimumLogLevel, "None"),
    Random.withSeed("batches")
  )

export const numbers = [1, 2, 3] as const

/** Accepts three swaps. */
const acceptAll = ({ accept }: Fixture) => Effect.forEach(numbers, (number) => accept({}, number))

/** The transactions of a swap that keeps the relayers busy until three others are ready. */
export const first: Fate = { end: "succeeds", includedAfter: 6_000, finalAfter: 6_000 }
export const second: Fate = { end: "succeeds", includedAfter: 20_000, finalAfter: 20_000 }

/**
 * Starts a process and accepts three swaps whose jobs become ready while the relayers are busy. The fates are those of
 * the transactions that the swaps share and of those that follow.
 */
export const together = Effect.fnUntraced(function* (
  all: Fixture,
  fates: { readonly origin?: ReadonlyArray<Fate>; readonly destination?: ReadonlyArray<Fate> } = {},
  acceptOne: (number: number) => ReturnType<Fixture["accept"]> = (number) => all.accept({}, number)
) {
  all.origin.script.fates.push(first, ...(fates.origin ?? []))
  all.destination.script.fates.push(second, ...(fates.destination ?? []))
  yield* all.accept({}, 0)
  yield* all.start()
  yield* TestClock.adjust(0)
  return yield* Effect.forEach(numbers, acceptOne)
})

export const hashesOf = ({ store }: Fixture, ids: ReadonlyArray<string>, kind: Kind) =>
  Effect.forEach(ids, (id) => Effect.map(store.attempts(id, kind), (all) => all.map(({ hash }) => hash)))

/** What the chains have paid for each order. */
export const paidFor = ({ destination, origin }: Fixture) =>
  Effect.map(Effect.all([origin.payments, destination.payments]), (all) =>
    numbers.map((number) =>
      all
        .flat()
        .filter(({ orderId }) => orderId === bytes(number))
        .map(({ kind }) => kind)
        .join(" ")
    )
  )

export const stateOf = ({ ended }: Fixture, ids: ReadonlyArray<string>) =>
  Effect.forEach(ids, (id) => Effect.map(ended(id), ({ failureCode, state }) => `${state} ${failureCode ?? ""}`.trim()))

export const settled = numbers.map(() => "settled")
export const delivered = numbers.map(() => "collect deliver")

/** How three swaps end together, and what the chains have paid for each. */
export interface Scenario {
  readonly name: string
  readonly script?: (all: Fixture) => void
  readonly states: ReadonlyArray<string>
  readonly paid: ReadonlyArray<string>
}

export const scenarios: ReadonlyArray<Scenario> = [
  { name: "settles all swaps of a batch", states: settled, paid: delivered },
  {
    name: "settles the swaps that batches leave out",
    script: ({ destination, origin }) => {
      origin.script.leftOut.add(`collect ${bytes(1)}`)
      destination.script.leftOut.add(`deliver ${bytes(3)}`)
    },
    states: settled,
    paid: delivered
  },
  {
    name: "replaces batches that are not included",
    script: ({ destination, origin }) => {
      origin.script.fates.push(slow)
      destination.script.fates.push(slow)
    },
    states: settled,
    paid: delivered
  },
  {
    name: "settles swaps whose batches are reorganized away or lose their nonce",
    script: ({ destination, origin }) => {
      origin.script.fates.push(reorganized)
      destination.script.fates.push(replaced)
    },
    states: settled,
    paid: delivered
  },
  {
    name: "refunds several inputs at once",
    script: ({ origin, venue }) => {
      venue.price = 2n
      origin.script.leftOut.add(`refund ${bytes(2)}`)
    },
    states: numbers.map(() => "refunded SLIPPAGE"),
    paid: numbers.map(() => "collect refund")
  }
]

/** Runs a scenario with a process that dies when it reaches a checkpoint for the given time. */
const play = ({ script }: Scenario, death?: { readonly checkpoint: string; readonly time: number }) =>
  on((all) =>
    Effect.gen(function* () {
      script?.(all)
      const ids = yield* acceptAll(all)
      const times = new Map<string, number>()
      const process = { isDead: false }
      yield* all.start((name) => {
        const time = (times.get(name) ?? 0) + 1
        times.set(name, time)
        if (process.isDead || name !== death?.checkpoint || time !== death.time) return undefined
        process.isDead = true
        return "kill"
      })
      if (death !== undefined) {
        while (!process.isDead) yield* TestClock.adjust(250)
        yield* all.start()
      }
      const states = yield* stateOf(all, ids)
      // Whatever the dead process left behind has had the time to be included.
      yield* TestClock.adjust(60_000)
      const hashes = yield* Effect.forEach(["collect", "deliver", "refund"] as const, (kind) =>
        hashesOf(all, ids, kind)
      )
      const isShared = hashes.some((each) => new Set(each.flat()).size < each.flat().length)
      return { isShared, states, paid: yield* paidFor(all), times }
    })
  )

/** Checks that three swaps share transactions, and returns how often each checkpoint is reached. */
export const playOnce = (scenario: Scenario) =>
  Effect.map(play(scenario), ({ isShared, paid, states, times }) => {
    expect({ isShared, states, paid }).toEqual({ isShared: true, states: scenario.states, paid: scenario.paid })
    return times
  })

/** Kills a process when it reaches a checkpoint for the given time, and checks that the swaps end the same way. */
export const dieAt = (scenario: Scenario, checkpoint: string, time: number) =>
  Effect.map(play(scenario, { checkpoint, time }), ({ paid, states }) =>
    expect({ checkpoint, time, states, paid }).toEqual({
      checkpoint,
      time,
      states: scenario.states,
      paid: scenario.paid
    })
  )
