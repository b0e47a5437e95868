import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { casesOf, repeat, runs, seed, seededRandom } from "../../../../tooling/testing/seededRandom.ts"
import { reorganized, replaced, reverts, slow, stuck, succeeds } from "../chains/scriptedChain.js"
import { dieAt, on, orderId, play, scenarios } from "./scenarios.js"

/** Each scenario with its end, without a death. Several tests look at it. */
const played = scenarios.map((scenario) => ({ ...scenario, end: Effect.runSync(Effect.cached(play(scenario))) }))

describe("the executor", () => {
  it.effect.each(played)("$name", ({ end, ...scenario }) =>
    Effect.gen(function* () {
      const { failureCode, paid, state } = yield* end
      expect({ state, failureCode, paid }).toEqual({
        state: scenario.state,
        failureCode: scenario.failureCode,
        paid: scenario.paid
      })
    })
  )

  it.effect("takes a swap through the states of the protocol, in their order", () =>
    Effect.gen(function* () {
      const { events } = yield* played[0]?.end ?? expect.fail("no scenario")
      expect([...new Set(events.map(({ state }) => state))]).toEqual([
        "accepted",
        "origin_prepared",
        "origin_sent",
        "origin_final",
        "delivery_prepared",
        "delivery_sent",
        "settled"
      ])
    })
  )

  it.effect("waits without a reservation, and pays nothing, while it is unclear what an order was used for", () =>
    on(({ accept, destination, ended, paid, start, store }) =>
      Effect.gen(function* () {
        destination.script.external.set(orderId, { kind: "deliver", hash: undefined })
        const id = yield* accept()
        yield* start()
        const waiting = yield* ended(id, 120_000)
        expect(waiting).toMatchObject({ state: "origin_final", reserved: false })
        expect(yield* paid).toEqual(["collect"])
        expect(yield* store.reserved).toEqual([])
        destination.script.external.delete(orderId)
        expect(yield* ended(id)).toMatchObject({ state: "settled" })
      })
    )
  )

  it.effect("executes other swaps while one that it cannot finish waits, even if it works on one at a time", () =>
    on(({ accept, destination, ended, start }) =>
      Effect.gen(function* () {
        destination.script.external.set(orderId, { kind: "deliver", hash: undefined })
        const [stuck, other] = [yield* accept(), yield* accept({}, 2)]
        yield* start(undefined, 1)
        expect(yield* ended(other)).toMatchObject({ state: "settled" })
        expect(yield* ended(stuck, 1_000)).toMatchObject({ state: "origin_final" })
      })
    )
  )

  it.effect("charges the network cost if the recipient alone refuses the delivery", () =>
    on(({ accept, destination, ended, origin, start }) =>
      Effect.gen(function* () {
        destination.script.refusals.deliver = "REVERTED"
        destination.script.recipientAtFault = true
        const id = yield* accept()
        yield* start()
        expect(yield* ended(id)).toMatchObject({ state: "refunded", refundAmount: 9n, paidAmount: 9n })
        expect(yield* origin.payments).toMatchObject([{ kind: "collect" }, { kind: "refund", amount: 9n }])
      })
    )
  )

  it.effect.each([
    ["is not at fault", false],
    ["may be at fault", undefined]
  ] as const)("charges nothing if the recipient %s", ([, recipientAtFault]) =>
    on(({ accept, destination, ended, origin, start }) =>
      Effect.gen(function* () {
        destination.script.refusals.deliver = "REVERTED"
        destination.script.recipientAtFault = recipientAtFault
        const id = yield* accept()
        yield* start()
        expect(yield* ended(id)).toMatchObject({ state: "refunded", paidAmount: 10n })
        expect(yield* origin.payments).toMatchObject([{ kind: "collect" }, { kind: "refund", amount: 10n }])
      })
    )
  )

  it.effect("stores what a swap paid, and when its input arrived", () =>
    on(({ accept, ended, start, store }) =>
      Effect.gen(function* () {
        const id = yield* accept()
        yield* start()
        const settled = yield* ended(id)
        const arrival = (yield* store.events(id)).find(({ state }) => state === "origin_final")
        expect(settled).toMatchObject({ state: "settled", paidAmount: settled.output, collectedAt: arrival?.at })
        expect(arrival?.at).toBeLessThanOrEqual(settled.updatedAt)
      })
    )
  )

  it.effect("stores what the vault's owner refunded, even if less was due", () =>
    on(({ accept, destination, ended, origin, start }) =>
      Effect.gen(function* () {
        destination.script.refusals.deliver = "REVERTED"
        destination.script.recipientAtFault = true
        origin.script.external.set(orderId, { kind: "refund", hash: "0xowner", amount: 10n })
        const id = yield* accept()
        yield* start()
        expect(yield* ended(id)).toMatchObject({ state: "refunded", refundTxHash: "0xowner", paidAmount: 10n })
      })
    )
  )

  it.effect("delivers nothing for a quote that has become too old, and refunds the input", () =>
    on(({ accept, destination, ended, paid, start }) =>
      Effect.gen(function* () {
        destination.script.fates.push(stuck)
        const id = yield* accept()
        yield* start()
        expect(yield* ended(id)).toMatchObject({ state: "refunded", failureCode: "DELIVERY_TOO_LATE" })
        expect(yield* paid).toEqual(["collect", "refund"])
      })
    )
  )

  it.effect("executes a swap once, however many processes run", () =>
    on(({ accept, ended, paid, start, store }) =>
      Effect.gen(function* () {
        const id = yield* accept()
        for (let count = 0; count < 4; count++) yield* start()
        expect(yield* ended(id)).toMatchObject({ state: "settled" })
        expect(yield* paid).toEqual(["collect", "deliver"])
        expect(yield* store.attempts(id, "collect")).toHaveLength(1)
        expect(yield* store.attempts(id, "deliver")).toHaveLength(1)
      })
    )
  )

  it.effect("continues every swap when a process ends in an orderly way, without waiting for its lease", () =>
    on(({ accept, ended, origin, start }) =>
      Effect.gen(function* () {
        origin.script.down = true
        const id = yield* accept()
        yield* Effect.scoped(Effect.andThen(start(), TestClock.adjust(2_000)))
        origin.script.down = false
        yield* start()
        // The lease ends after 15 s.
        expect(yield* ended(id, 12_000)).toMatchObject({ state: "settled" })
      })
    )
  )
})

describe("a process that dies", () => {
  // Executor.long.test.ts kills a process at every checkpoint of every scenario.
  it.effect(
    "at any checkpoint leaves a swap to the next process, which ends it the same way",
    () =>
      Effect.gen(function* () {
        const killed = new Set<string>()
        for (const { end, ...scenario } of played) {
          const { seen } = yield* end
          for (const checkpoint of seen) {
            if (killed.has(checkpoint)) continue
            killed.add(checkpoint)
            yield* dieAt(scenario, checkpoint)
          }
        }
        expect(killed.size).toBeGreaterThan(10)
      }),
    120_000
  )
})

describe(`random faults with seed ${seed}`, () => {
  const schedules = Math.ceil(runs / 1_000)

  /** One schedule of faults and crashes: what is wrong with its end. */
  const schedule = (index: number) =>
    on((all) =>
      Effect.gen(function* () {
        const { accept, destination, ended, origin, paid, start, venue } = all
        const random = seededRandom(seed ^ 0xe8ec, index)
        const sides = [origin, destination]
        for (const { script } of sides) {
          const fates = [succeeds, succeeds, reverts, reorganized, replaced, slow]
          for (let count = random.below(4); count > 0; count--) script.fates.push(random.pick(fates))
        }
        const id = yield* accept()
        const deadly = random.pick([0, 0.02, 0.1])
        for (let second = 0; second < 60; second++) {
          if (second % 20 === 0) yield* start(() => (random.next() < deadly ? "kill" : undefined))
          for (const { script } of sides) script.down = random.next() < 0.2
          if (random.next() < 0.1) venue.price = random.pick([2n, 4n, 4n, undefined])
          if (random.next() < 0.1) destination.script.refusals.deliver = "REVERTED"
          else delete destination.script.refusals.deliver
          yield* TestClock.adjust(1_000)
        }
        for (const { script } of sides) script.down = false
        delete destination.script.refusals.deliver
        venue.price = 4n
        yield* start()
        const { state } = yield* ended(id, 1_800_000)
        yield* TestClock.adjust(60_000)
        return `${state}: ${(yield* paid).join(", ")}`
      })
    )

  it.effect(
    `end every swap in one way, paid once, in ${schedules} schedules`,
    () =>
      Effect.gen(function* () {
        const ends = new Map<string, number>()
        for (const index of casesOf(schedules)) {
          const end = yield* schedule(index)
          const allowed = ["settled: collect, deliver", "refunded: collect, refund", "failed: "]
          if (!allowed.includes(end)) expect.fail(`${end}; ${repeat(index)}`)
          ends.set(end, (ends.get(end) ?? 0) + 1)
        }
        if (schedules >= 100) expect(ends.size).toBe(3)
      }),
    // 1 s each, and many times that on a busy machine.
    Math.max(240_000, schedules * 30_000)
  )
})
