import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import type { EvmChain } from "../../src/chains/Chains.js"
import type { Kind, SwapRecord } from "../../src/domain/SwapRecord.js"
import * as BatchQueue from "../../src/execution/transactions/batchQueue.js"
import { Conflict } from "../../src/store/StoreError.js"
import { someTurns } from "../../src/testing/storeContract/fixture.js"

const chain = {
  family: "evm",
  id: 1,
  maxBatch: 3,
  relayers: ["0xa", "0xb"],
  pollMillis: 1_000,
  stuckAfterMillis: 30_000
} as unknown as EvmChain

const jobOf = (id: string, kind: Kind = "collect"): BatchQueue.Job => ({
  swap: { id } as SwapRecord,
  kind,
  draft: { shares: kind } as BatchQueue.Job["draft"],
  to: "origin_prepared",
  detail: ""
})

/** A queue whose store lists the groups that it gets. Its transactions keep the first idle relayer busy. */
const fixture = Effect.gen(function* () {
  const groups: Array<string> = []
  const script = {
    /** Swaps that have changed. */
    stale: new Set<string>(),
    /** How many jobs fit into a transaction. */
    fits: 10,
    /** What the store does before it stores a group. */
    before: Effect.void
  }
  const queue: BatchQueue.BatchQueue = yield* BatchQueue.make((given, jobs, isIdle) =>
    Effect.gen(function* () {
      yield* script.before
      const taken = jobs.slice(0, script.fits)
      const stale = taken.find(({ swap }) => script.stale.has(swap.id))
      if (stale !== undefined) {
        return new Map([[stale.swap.id, Effect.fail(new Conflict({ message: "changed", swapId: stale.swap.id }))]])
      }
      const relayer = given.relayers.find(isIdle) ?? given.relayers[0]
      const ids = taken.map(({ swap }) => swap.id)
      groups.push(`${relayer}: ${ids.join(" ")}`)
      yield* queue.began(given, relayer, ids)
      return new Map(taken.map(({ swap }) => [swap.id, Effect.succeed(swap)]))
    })
  )
  const join = (id: string, kind?: Kind, on = chain) => Effect.forkChild(queue.join(on, jobOf(id, kind)))
  return { groups, join, queue, script, settled: someTurns }
})

describe("the queue of jobs", () => {
  it.effect("uses each idle relayer at once, and lets later jobs share the next transaction", () =>
    Effect.gen(function* () {
      const { groups, join, queue, settled } = yield* fixture
      for (const id of ["1", "2"]) {
        yield* join(id)
        yield* settled
      }
      expect(groups).toEqual(["0xa: 1", "0xb: 2"])
      for (const id of ["3", "4"]) yield* join(id)
      yield* settled
      expect(groups).toHaveLength(2)
      queue.landed("2")
      yield* settled
      expect(groups.slice(2)).toEqual(["0xb: 3 4"])
      // One of the swaps is enough for the whole transaction.
      queue.landed("4")
      yield* join("5")
      yield* settled
      expect(groups.slice(3)).toEqual(["0xb: 5"])
    })
  )

  it.effect("sends full batches even if all relayers are busy, and keeps kinds apart", () =>
    Effect.gen(function* () {
      const { groups, join, settled } = yield* fixture
      for (const id of ["1", "2"]) {
        yield* join(id)
        yield* settled
      }
      for (const id of ["3", "4"]) yield* join(id)
      for (const id of ["5", "6"]) yield* join(id, "refund")
      yield* settled
      expect(groups).toHaveLength(2)
      yield* join("7", "refund")
      yield* settled
      expect(groups.slice(2)).toEqual(["0xa: 5 6 7"])
    })
  )

  it.effect("sends at most as many jobs together as a batch of the chain may have", () =>
    Effect.gen(function* () {
      const { groups, join, settled } = yield* fixture
      for (const id of ["1", "2", "3", "4", "5", "6", "7"]) yield* join(id)
      yield* settled
      expect(groups).toEqual(["0xa: 1 2 3", "0xb: 4 5 6"])
    })
  )

  it.effect("sends a job that has waited long, even if full batches keep all relayers busy", () =>
    Effect.gen(function* () {
      const { groups, join, settled } = yield* fixture
      for (const id of ["1", "2"]) {
        yield* join(id)
        yield* settled
      }
      yield* join("refund", "refund")
      for (let second = 0; second < 14; second++) {
        for (const each of [1, 2, 3]) yield* join(`${second}-${each}`)
        yield* TestClock.adjust(1_000)
      }
      expect(groups.filter((group) => group.includes("refund"))).toEqual([])
      yield* TestClock.adjust(1_000)
      expect(groups.filter((group) => group.includes("refund"))).toHaveLength(1)
    })
  )

  it.effect("tries a batch again without a swap that has changed", () =>
    Effect.gen(function* () {
      const { groups, join, script, settled } = yield* fixture
      script.stale.add("2")
      const [first, second, third] = yield* Effect.forEach(["1", "2", "3"], (id) => join(id))
      yield* settled
      if (first === undefined || second === undefined || third === undefined) return
      expect(groups).toEqual(["0xa: 1 3"])
      expect(yield* Fiber.join(first)).toEqual({ id: "1" })
      expect(yield* Effect.flip(Fiber.join(second))).toMatchObject({ _tag: "Conflict", swapId: "2" })
      expect(yield* Fiber.join(third)).toEqual({ id: "3" })
    })
  )

  it.effect("sends what does not fit into a transaction with the next one", () =>
    Effect.gen(function* () {
      const { groups, join, script, settled } = yield* fixture
      script.fits = 2
      for (const id of ["1", "2", "3"]) yield* join(id)
      yield* settled
      expect(groups).toEqual(["0xa: 1 2", "0xb: 3"])
    })
  )

  it.effect("forgets a job whose swap is no longer worked on", () =>
    Effect.gen(function* () {
      const { groups, join, queue, settled } = yield* fixture
      for (const id of ["1", "2"]) {
        yield* join(id)
        yield* settled
      }
      const lost = yield* join("3")
      yield* join("4")
      yield* settled
      yield* Fiber.interrupt(lost)
      queue.landed("1")
      yield* settled
      expect(groups.slice(2)).toEqual(["0xa: 4"])
    })
  )

  it.effect("sends an older job before one that was put back", () =>
    Effect.gen(function* () {
      const { groups, join, script, settled } = yield* fixture
      for (const id of ["1", "2"]) {
        yield* join(id)
        yield* settled
      }
      yield* join("old", "refund")
      yield* TestClock.adjust(10)
      // A full batch is sent at once. Its last job does not fit.
      script.fits = 2
      for (const id of ["a", "b", "c"]) yield* join(id)
      yield* settled
      yield* TestClock.adjust(60_000)
      yield* settled
      const indexOf = (id: string) => groups.findIndex((group) => group.split(" ").includes(id))
      expect(indexOf("b")).toBeGreaterThan(0)
      expect(indexOf("old")).toBeGreaterThan(indexOf("b"))
      expect(indexOf("c")).toBeGreaterThan(indexOf("old"))
    })
  )

  it.effect("sends a due job before newer ones that were put back, without polling", () =>
    Effect.gen(function* () {
      const { groups, join, script, settled } = yield* fixture
      let reads = 0
      const counted = {
        ...chain,
        get relayers() {
          reads++
          return chain.relayers
        }
      }
      for (const id of ["1", "2"]) {
        yield* join(id, "collect", counted)
        yield* settled
      }
      script.fits = 2
      yield* join("old", "refund", counted)
      // Each second there is a full batch, of which one job does not fit.
      for (let second = 0; second < 15; second++) {
        yield* TestClock.adjust(1_000)
        for (const each of [1, 2, 3]) yield* join(`${second}-${each}`, "collect", counted)
        yield* settled
      }
      const [sent, ...again] = groups.flatMap((group, index) => (group.endsWith(" old") ? [index] : []))
      expect(again).toEqual([])
      // When it is due, it is sent before the jobs that have joined in that second.
      expect(groups.slice(sent).join()).not.toContain("13-1")
      expect(groups.findIndex((group) => group.includes("14-1"))).toBeGreaterThan(sent ?? Infinity)
      // The queue waits for a change and does not poll.
      const before = reads
      yield* settled
      expect(reads).toBe(before)
      expect(before).toBeLessThan(500)
    })
  )

  it.effect("frees the callers if it is interrupted", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { join, script, settled } = yield* Scope.provide(fixture, scope)
      script.before = Effect.never
      // The store has the first three jobs, and one is left in the queue.
      const callers = yield* Effect.forEach(["1", "2", "3", "4"], (id) => join(id))
      yield* settled
      expect(callers.map((caller) => caller.pollUnsafe())).toEqual(callers.map(() => undefined))
      yield* Scope.close(scope, Exit.void)
      yield* settled
      for (const caller of callers) {
        const exit = caller.pollUnsafe()
        expect(exit !== undefined && Exit.hasInterrupts(exit)).toBe(true)
      }
    })
  )

  it.effect("fails only the jobs that were waiting if it breaks, and sends later ones", () =>
    Effect.gen(function* () {
      const { groups, join, settled } = yield* fixture
      const broken = {
        ...chain,
        get relayers(): EvmChain["relayers"] {
          throw new TypeError("broken")
        }
      }
      const callers = yield* Effect.forEach(["1", "2"], (id) => join(id, "collect", broken))
      yield* settled
      for (const caller of callers) {
        const exit = caller.pollUnsafe()
        expect(exit !== undefined && Exit.hasDies(exit)).toBe(true)
      }
      yield* join("3")
      yield* settled
      expect(groups).toEqual(["0xa: 3"])
    })
  )

  it.effect("fails only the jobs of a group whose store breaks, and sends later ones", () =>
    Effect.gen(function* () {
      const { groups, join, script, settled } = yield* fixture
      script.before = Effect.die(new TypeError("broken"))
      const broken = yield* join("1")
      yield* settled
      const exit = broken.pollUnsafe()
      expect(exit !== undefined && Exit.hasDies(exit)).toBe(true)
      script.before = Effect.void
      yield* join("2")
      yield* settled
      expect(groups).toEqual(["0xa: 2"])
    })
  )
})
