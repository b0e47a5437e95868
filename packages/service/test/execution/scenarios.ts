/** Scripted swaps, how each of them ends, and processes that die while they execute one. */
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as References from "effect/References"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { reorganized, replaced, reverts, slow, stuck } from "../chains/scriptedChain.js"
import { fixture } from "./fixture.js"

type Fixture = Effect.Success<typeof fixture>

/** Runs a test on its own chains and store, without the log of expected failures. */
export const on = <A, E>(test: (all: Fixture) => Effect.Effect<A, E, Scope.Scope>) =>
  Effect.scoped(Effect.flatMap(fixture, test)).pipe(
    Effect.provideService(References.MinimumLogLevel, "None"),
    Random.withSeed("executor")
  )

/** How a scripted swap ends, and what the chains have paid for it. */
export interface Scenario {
  readonly name: string
  readonly script?: (all: Fixture) => void
  readonly state: "settled" | "failed" | "refunded"
  readonly failureCode?: string
  readonly paid: ReadonlyArray<string>
}

export const orderId = `0x${"1".padStart(64, "0")}`

export const scenarios: ReadonlyArray<Scenario> = [
  { name: "settles a swap that meets no obstacle", state: "settled", paid: ["collect", "deliver"] },
  {
    name: "settles a swap whose collect is reorganized away and included again",
    script: ({ origin }) => origin.script.fates.push(reorganized),
    state: "settled",
    paid: ["collect", "deliver"]
  },
  {
    name: "signs again with the next nonce if another transaction used the relayer's nonce",
    script: ({ destination, origin }) => {
      origin.script.fates.push(replaced)
      destination.script.fates.push(replaced)
    },
    state: "settled",
    paid: ["collect", "deliver"]
  },
  {
    name: "sends transactions again with a higher fee if they are not included",
    script: ({ destination, origin }) => {
      origin.script.fates.push(slow)
      destination.script.fates.push(slow)
    },
    state: "settled",
    paid: ["collect", "deliver"]
  },
  {
    name: "delivers again after a delivery that reverted",
    script: ({ destination }) => destination.script.fates.push(reverts, reverts),
    state: "settled",
    paid: ["collect", "deliver"]
  },
  {
    name: "refunds the input after a delivery that reverted three times",
    script: ({ destination }) => destination.script.fates.push(reverts, reverts, reverts),
    state: "refunded",
    failureCode: "REVERTED",
    paid: ["collect", "refund"]
  },
  {
    name: "fails a swap whose operation the chain refuses, before anything moves",
    script: ({ origin }) => {
      origin.script.refusals.collect = "INSUFFICIENT_BALANCE"
    },
    state: "failed",
    failureCode: "INSUFFICIENT_BALANCE",
    paid: []
  },
  {
    name: "fails a swap whose collect reverted",
    script: ({ origin }) => origin.script.fates.push(reverts),
    state: "failed",
    failureCode: "REVERTED",
    paid: []
  },
  {
    name: "cancels a collect that is not included before its deadline, and fails the swap",
    script: ({ origin }) => origin.script.fates.push(stuck),
    state: "failed",
    failureCode: "OPERATION_EXPIRED",
    paid: []
  },
  {
    name: "refunds the input if the chain refuses the delivery for longer than it is retried",
    script: ({ destination }) => {
      destination.script.refusals.deliver = "REVERTED"
    },
    state: "refunded",
    failureCode: "REVERTED",
    paid: ["collect", "refund"]
  },
  {
    name: "refunds the input if the price fell below the minimum",
    script: ({ venue }) => {
      venue.price = 2n
    },
    state: "refunded",
    failureCode: "SLIPPAGE",
    paid: ["collect", "refund"]
  },
  {
    name: "refunds the input if the venue does not answer for longer than it is retried",
    script: ({ venue }) => {
      venue.price = undefined
    },
    state: "refunded",
    failureCode: "PRICE_UNAVAILABLE",
    paid: ["collect", "refund"]
  },
  {
    name: "refunds the input if the destination does not answer for longer than it is waited for",
    script: ({ destination }) => {
      destination.script.down = true
    },
    state: "refunded",
    failureCode: "DESTINATION_UNAVAILABLE",
    paid: ["collect", "refund"]
  },
  {
    name: "settles a swap that the vault's owner delivered, without a second delivery",
    script: ({ destination }) => destination.script.external.set(orderId, { kind: "deliver", hash: "0xowner" }),
    state: "settled",
    paid: ["collect"]
  },
  {
    name: "ends a swap as refunded that the vault's owner refunded, without a delivery",
    script: ({ origin }) => origin.script.external.set(orderId, { kind: "refund", hash: "0xowner" }),
    state: "refunded",
    failureCode: "REFUNDED_BY_OWNER",
    paid: ["collect"]
  }
]

/** Runs a scenario with processes that die at the given checkpoint, the first time that one of them reaches it. */
export const play = ({ script }: Scenario, checkpoint?: string) =>
  on((all) =>
    Effect.gen(function* () {
      script?.(all)
      const id = yield* all.accept()
      const seen = new Set<string>()
      const process = { isDead: false }
      yield* all.start((name) => {
        seen.add(name)
        if (process.isDead || name !== checkpoint) return undefined
        process.isDead = true
        return "kill"
      })
      if (checkpoint !== undefined) {
        // The lease of a dead process ends after 15 s.
        while (!process.isDead) yield* TestClock.adjust(250)
        yield* all.start()
      }
      const { failureCode, state } = yield* all.ended(id)
      const events = yield* all.store.events(id)
      return { events, failureCode, paid: yield* all.paid, seen, state }
    })
  )

/** Kills a process at a checkpoint, and checks that the next process ends the swap as without the death. */
export const dieAt = (scenario: Scenario, checkpoint: string) =>
  Effect.map(play(scenario, checkpoint), ({ failureCode, paid, state }) =>
    expect({ checkpoint, state, failureCode, paid }).toEqual({
      checkpoint,
      state: scenario.state,
      failureCode: scenario.failureCode,
      paid: scenario.paid
    })
  )
