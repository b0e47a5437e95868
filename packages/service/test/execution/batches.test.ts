import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { casesOf, repeat, runs, seed, seededRandom } from "../../../../tooling/testing/seededRandom.ts"
import { bytes, order } from "../../src/testing/storeContract/fixture.js"
import { reorganized, replaced, reverts, slow, stuck, succeeds } from "../chains/scriptedChain.js"
import {
  delivered,
  dieAt,
  type Fixture,
  first,
  hashesOf,
  numbers,
  on,
  paidFor,
  playOnce,
  scenarios,
  second,
  settled,
  stateOf,
  together
} from "./batchScenarios.js"

describe("swaps that are ready at the same time", () => {
  it.effect("share the transactions of both halves, and each is paid once", () =>
    on((all) =>
      Effect.gen(function* () {
        const ids = yield* together(all)
        expect(yield* stateOf(all, ids)).toEqual(settled)
        for (const kind of ["collect", "deliver"] as const) {
          const hashes = yield* hashesOf(all, ids, kind)
          expect(hashes.map(({ length }) => length)).toEqual([1, 1, 1])
          expect(new Set(hashes.flat()).size).toBe(1)
        }
        expect(yield* paidFor(all)).toEqual(delivered)
        const [event] = (yield* all.store.events("swap-2")).filter(({ state }) => state === "origin_prepared")
        expect(event?.detail).toContain("was signed in a batch of 3 swaps: 0x")
      })
    )
  )

  it.effect("have separate transactions if batches are switched off", () =>
    on((all) =>
      Effect.gen(function* () {
        all.origin.script.maxBatch = 1
        const ids = yield* together(all)
        expect(yield* stateOf(all, ids)).toEqual(settled)
        expect(new Set((yield* hashesOf(all, ids, "collect")).flat()).size).toBe(3)
        expect(yield* paidFor(all)).toEqual(delivered)
      })
    )
  )

  it.effect("share a refund", () =>
    on((all) =>
      Effect.gen(function* () {
        all.venue.price = 2n
        const ids = yield* together(all, { origin: [succeeds, second] })
        expect(yield* stateOf(all, ids)).toEqual(numbers.map(() => "refunded SLIPPAGE"))
        expect(new Set((yield* hashesOf(all, ids, "refund")).flat()).size).toBe(1)
        expect(yield* paidFor(all)).toEqual(numbers.map(() => "collect refund"))
      })
    )
  )

  it.effect("are in at most as many as fit, in the order in which they became ready", () =>
    on((all) =>
      Effect.gen(function* () {
        all.origin.script.maxBatch = 2
        const ids = yield* together(all)
        expect(yield* stateOf(all, ids)).toEqual(settled)
        const [one, other, third] = (yield* hashesOf(all, ids, "collect")).map((hashes) => hashes.join())
        expect(other).toBe(one)
        expect(third).not.toBe(one)
      })
    )
  )
})

describe("payments without a delegation", () => {
  const methods = ["eip3009", "permit2", "erc2612"] as const
  it.effect.each(methods)("have separate transactions while other collections share one (%s)", (method) =>
    on((all) =>
      Effect.gen(function* () {
        const { accept, origin, start, store } = all
        origin.script.fates.push(first)
        yield* accept({}, 0)
        yield* start()
        yield* TestClock.adjust(0)
        const delegated = yield* Effect.forEach(numbers, (number) => accept({}, number))
        const payments = yield* Effect.forEach([4, 5, 6], (number) => {
          const { operation } = order(number)
          const payer = `0x${String(number).repeat(40)}`
          return operation._tag === "evm"
            ? accept(
                { wallet: payer, recipient: payer, operation: { ...operation, deadline: 90, method, vault: "vault" } },
                number
              )
            : Effect.die("The order is for an EVM chain.")
        })
        expect(yield* stateOf(all, [...delegated, ...payments])).toEqual(numbers.flatMap(() => ["settled", "settled"]))
        expect(new Set((yield* hashesOf(all, delegated, "collect")).flat()).size).toBe(1)
        const nonces = yield* Effect.forEach(payments, (id) =>
          Effect.map(store.attempts(id, "collect"), (attempts) => attempts.map(({ nonce }) => nonce))
        )
        expect(nonces.map(({ length }) => length)).toEqual([1, 1, 1])
        expect(new Set(nonces.flat()).size).toBe(3)
        for (const id of payments) expect(yield* store.batches.members(id, "collect")).toEqual([])
      })
    )
  )
})

describe("a job that no relayer can pay for", () => {
  it.effect("fails alone, and the others of its group are stored and sent", () =>
    on((all) =>
      Effect.gen(function* () {
        all.origin.script.unaffordable.add(bytes(1))
        const [poor, ...others] = yield* together(all)
        yield* TestClock.adjust(7_000)
        const [one, other] = yield* hashesOf(all, others, "collect")
        expect(one).toHaveLength(1)
        expect(other).toEqual(one)
        expect(yield* stateOf(all, others)).toEqual(["settled", "settled"])
        expect(yield* all.swapOf(poor)).toMatchObject({ state: "accepted", version: 0 })
        all.origin.script.unaffordable.clear()
        expect(yield* stateOf(all, [poor])).toEqual(["settled"])
        expect(yield* paidFor(all)).toEqual(delivered)
      })
    )
  )
})

describe("what a relayer has", () => {
  /** The most that the origin's relayer had pending at once within a minute, and how many swaps have ended. */
  const mostPending = Effect.fnUntraced(function* ({ store, origin }: Fixture) {
    let most = 0n
    for (let passed = 0; passed < 60_000; passed += 100) {
      yield* TestClock.adjust(100)
      const lane = (yield* store.lanes.all).find(({ chainId }) => chainId === origin.chain.id)
      if (lane !== undefined && lane.pendingCost > most) most = lane.pendingCost
    }
    return most
  })

  it.effect("covers its pending transactions: fewer jobs share one, and the others wait", () =>
    on((all) =>
      Effect.gen(function* () {
        // A batch of all three may cost 30.
        all.origin.script.funds = 25n
        const ids = yield* together(all)
        expect(yield* mostPending(all)).toBe(20n)
        expect(yield* stateOf(all, ids)).toEqual(settled)
        const [one, other, third] = (yield* hashesOf(all, ids, "collect")).map((hashes) => hashes.join())
        expect(other).toBe(one)
        expect(third).not.toBe(one)
        expect(yield* paidFor(all)).toEqual(delivered)
      })
    )
  )

  it.effect.each([1, 10])("covers its pending transactions if several processes sign (batches of %s)", (maxBatch) =>
    on((all) =>
      Effect.gen(function* () {
        all.origin.script.funds = 45n
        all.origin.script.maxBatch = maxBatch
        const ids = yield* Effect.forEach(
          Array.from({ length: 12 }, (_, index) => index + 1),
          (number) => all.accept({}, number)
        )
        for (let process = 0; process < 3; process++) yield* all.start()
        // Nothing of what it has is left unused.
        expect(yield* mostPending(all)).toBe(40n)
        expect(yield* stateOf(all, ids)).toEqual(ids.map(() => "settled"))
        expect(yield* paidFor(all)).toEqual(delivered)
      })
    )
  )
})

describe("a swap that a batch leaves out", () => {
  const cases = [
    { kind: "collect" as const, expected: "collect deliver" },
    { kind: "deliver" as const, expected: "collect deliver" }
  ]
  it.effect.each(cases)("is sent again in a separate transaction ($kind)", ({ expected, kind }) =>
    on((all) =>
      Effect.gen(function* () {
        const { script } = kind === "collect" ? all.origin : all.destination
        script.leftOut.add(`${kind} ${bytes(2)}`)
        const ids = yield* together(all)
        expect(yield* stateOf(all, ids)).toEqual(settled)
        const [one, other, third] = yield* hashesOf(all, ids, kind)
        expect([one?.length, other?.length, third?.length]).toEqual([1, 2, 1])
        expect(other?.[0]).toBe(one?.[0])
        expect(yield* paidFor(all)).toEqual(numbers.map(() => expected))
      })
    )
  )

  it.effect("keeps its reservation, and is decided by its separate transaction", () =>
    on((all) =>
      Effect.gen(function* () {
        all.origin.script.leftOut.add(`collect ${bytes(2)}`)
        const ids = yield* together(all, { origin: [succeeds, reverts] })
        for (let passed = 0; passed < 9; passed++) {
          yield* TestClock.adjust(1_000)
          expect((yield* all.swapOf("swap-2")).reserved).toBe(true)
        }
        expect(yield* stateOf(all, ids)).toEqual(["settled", "failed REVERTED", "settled"])
        expect(yield* paidFor(all)).toEqual(["collect deliver", "", "collect deliver"])
      })
    )
  )

  it.effect("is refunded only after three separate deliveries that reverted", () =>
    on((all) =>
      Effect.gen(function* () {
        all.destination.script.leftOut.add(`deliver ${bytes(2)}`)
        const ids = yield* together(all, { destination: [succeeds, reverts, reverts, succeeds] })
        expect(yield* stateOf(all, ids)).toEqual(settled)
        expect((yield* hashesOf(all, ids, "deliver")).map(({ length }) => length)).toEqual([1, 4, 1])
        expect(yield* paidFor(all)).toEqual(delivered)
      })
    )
  )
})

describe("a batch that is not included", () => {
  it.effect("is replaced once for all of its swaps", () =>
    on((all) =>
      Effect.gen(function* () {
        const ids = yield* together(all, { origin: [slow], destination: [slow] })
        expect(yield* stateOf(all, ids)).toEqual(settled)
        for (const kind of ["collect", "deliver"] as const) {
          const hashes = yield* hashesOf(all, ids, kind)
          expect(hashes[0]).toHaveLength(2)
          expect(new Set(hashes.map((each) => each.join())).size).toBe(1)
        }
        expect(yield* paidFor(all)).toEqual(delivered)
      })
    )
  )

  it.effect("is signed again if another transaction used its nonce", () =>
    on((all) =>
      Effect.gen(function* () {
        const ids = yield* together(all, { origin: [replaced] })
        expect(yield* stateOf(all, ids)).toEqual(settled)
        // A swap is in one batch only.
        const hashes = yield* hashesOf(all, ids, "collect")
        expect(new Set(hashes.map(([, second]) => second)).size).toBe(3)
        expect(yield* paidFor(all)).toEqual(delivered)
      })
    )
  )

  it.effect("is not canceled before the deadlines of all its operations have passed", () =>
    on((all) =>
      Effect.gen(function* () {
        const { accept, store } = all
        const ids = yield* together(all, { origin: [stuck] }, (number) => accept({}, number, 40_000 * number))
        yield* TestClock.adjust(100_000)
        expect((yield* hashesOf(all, ids, "collect")).map(({ length }) => length)).toEqual([1, 1, 1])
        expect(yield* stateOf(all, ids)).toEqual(numbers.map(() => "failed OPERATION_EXPIRED"))
        for (const id of ids) {
          expect((yield* store.attempts(id, "collect")).map(({ cancels }) => cancels)).toEqual([false, true])
        }
        expect(yield* paidFor(all)).toEqual(["", "", ""])
      })
    )
  )

  it.effect("of deliveries is canceled when one quote is too old, and the other outputs are still delivered", () =>
    on((all) =>
      Effect.gen(function* () {
        const { accept, store } = all
        const ids = yield* together(all, { destination: [stuck] }, (number) =>
          // The first quote is 2 minutes old, and the others are new.
          accept(number === 1 ? { quotedAt: -110_000 } : {}, number)
        )
        expect(yield* stateOf(all, ids)).toEqual(["refunded DELIVERY_TOO_LATE", "settled", "settled"])
        expect(yield* paidFor(all)).toEqual(["collect refund", "collect deliver", "collect deliver"])
        const [one, other] = yield* Effect.forEach(ids, (id) => store.attempts(id, "deliver"))
        expect(one?.map(({ cancels }) => cancels)).toEqual([false, true])
        expect(other?.slice(0, 2)).toEqual(one)
      })
    )
  )

  it.effect("has no delivery whose quote has reached half of its maximum age", () =>
    on((all) =>
      Effect.gen(function* () {
        const ids = yield* together(all, {}, (number) => all.accept(number === 1 ? { quotedAt: -160_000 } : {}, number))
        expect(yield* stateOf(all, ids)).toEqual(settled)
        const [one, other, third] = yield* hashesOf(all, ids, "deliver")
        expect(other).toEqual(third)
        expect(one).not.toEqual(other)
      })
    )
  )
})

describe("an idle relayer", () => {
  it.effect("sends a lone swap at once, and what becomes ready meanwhile with the next transaction", () =>
    on((all) =>
      Effect.gen(function* () {
        const { accept, start, store, swapOf } = all
        all.origin.script.fates.push(first)
        const lone = yield* accept({}, 1)
        yield* start()
        // No time passes.
        yield* TestClock.adjust(0)
        expect((yield* swapOf(lone)).state).toBe("origin_sent")
        const others = [yield* accept({}, 2)]
        yield* TestClock.adjust(2_500)
        others.push(yield* accept({}, 3))
        yield* TestClock.adjust(2_500)
        for (const id of others) expect((yield* swapOf(id)).state).toBe("accepted")
        expect(yield* stateOf(all, [lone, ...others])).toEqual(settled)
        const nonces = yield* Effect.forEach([lone, ...others], (id) =>
          Effect.map(store.attempts(id, "collect"), (attempts) => attempts.map(({ nonce }) => nonce))
        )
        expect(nonces).toEqual([[0], [1], [1]])
      })
    )
  )

  it.effect("is not waited for if there are enough swaps for a full batch", () =>
    on((all) =>
      Effect.gen(function* () {
        const { accept, origin, start, swapOf } = all
        origin.script.maxBatch = 2
        origin.script.fates.push(stuck)
        const lone = yield* accept({}, 1)
        yield* start()
        yield* TestClock.adjust(0)
        const others = [yield* accept({}, 2), yield* accept({}, 3)]
        yield* TestClock.adjust(2_000)
        expect((yield* swapOf(lone)).state).toBe("origin_sent")
        for (const id of others) expect((yield* swapOf(id)).state).toBe("origin_sent")
      })
    )
  )

  it.effect("is waited for until its transaction is stuck", () =>
    on((all) =>
      Effect.gen(function* () {
        const { accept, origin, start, swapOf } = all
        origin.script.fates.push(stuck)
        yield* accept({}, 1)
        yield* start()
        yield* TestClock.adjust(0)
        const next = yield* accept({}, 2)
        yield* TestClock.adjust(28_000)
        expect((yield* swapOf(next)).state).toBe("accepted")
        yield* TestClock.adjust(2_000)
        expect((yield* swapOf(next)).state).not.toBe("accepted")
      })
    )
  )
})

describe("a process that dies with batches", () => {
  // batches.long.test.ts kills a process at every checkpoint of every scenario. What is stored before a step is what was
  // stored after the previous one; Executor.test.ts kills a process at both.
  it.effect(
    "after any step of any swap leaves them to the next process, which ends them the same way",
    () =>
      Effect.gen(function* () {
        const killed = new Set<string>()
        for (const scenario of scenarios) {
          for (const [checkpoint, count] of yield* playOnce(scenario)) {
            if (killed.has(checkpoint) || !checkpoint.startsWith("after ")) continue
            killed.add(checkpoint)
            yield* dieAt(scenario, checkpoint, Math.min(2, count))
          }
        }
        expect(killed.size).toBeGreaterThan(10)
      }),
    240_000
  )
})

describe(`random faults with batches and seed ${seed}`, () => {
  const schedules = Math.ceil(runs / 2_000)

  /** One schedule of faults, crashes and several processes at once: how the swaps end. */
  const schedule = (index: number) =>
    on((all) =>
      Effect.gen(function* () {
        const { accept, destination, origin, start, venue } = all
        const random = seededRandom(seed ^ 0xba7c, index)
        const sides = [origin, destination]
        for (const { script } of sides) {
          const fates = [succeeds, succeeds, reorganized, replaced, slow]
          for (let count = random.below(4); count > 0; count--) script.fates.push(random.pick(fates))
          script.maxBatch = random.pick([2, 10])
          for (const kind of ["collect", "deliver", "refund"]) {
            if (random.next() < 0.3) script.leftOut.add(`${kind} ${bytes(random.pick(numbers))}`)
          }
        }
        const deadly = random.pick([0, 0.02, 0.1])
        const ids: Array<string> = []
        for (let second = 0; second < 60; second++) {
          const number = numbers[ids.length]
          if (number !== undefined && random.next() < 0.5) ids.push(yield* accept({}, number))
          if (second % 15 === 0) yield* start(() => (random.next() < deadly ? "kill" : undefined))
          for (const { script } of sides) script.down = random.next() < 0.2
          if (random.next() < 0.1) venue.price = random.pick([2n, 4n, 4n, undefined])
          yield* TestClock.adjust(1_000)
        }
        for (const { script } of sides) script.down = false
        venue.price = 4n
        yield* start()
        const states = yield* stateOf(all, ids)
        yield* TestClock.adjust(60_000)
        const paid = yield* paidFor(all)
        return states.map((state, one) => `${state.split(" ")[0]}: ${paid[one]}`)
      })
    )

  it.effect(
    `end every swap in one way, paid once, in ${schedules} schedules`,
    () =>
      Effect.gen(function* () {
        const allowed = ["settled: collect deliver", "refunded: collect refund", "failed: "]
        for (const index of casesOf(schedules)) {
          for (const end of yield* schedule(index)) {
            if (!allowed.includes(end)) expect.fail(`${end}; ${repeat(index)}`)
          }
        }
      }),
    Math.max(240_000, schedules * 60_000)
  )
})
