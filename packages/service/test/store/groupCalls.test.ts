import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Group from "../../src/store/sql/groupCalls.js"

const Caller = Context.Reference<string>("test/Caller", { defaultValue: () => "unknown" })

/** Groups numbers, and waits before each group if told to. */
const makeDoubler = (before: Effect.Effect<void> = Effect.void) => {
  const groups: Array<ReadonlyArray<number>> = []
  const callers: Array<string> = []
  const call = Group.make((numbers: ReadonlyArray<number>) =>
    Effect.gen(function* () {
      groups.push(numbers)
      callers.push(yield* Caller)
      yield* before
      return numbers.map((number) => (number < 0 ? Exit.fail(`not ${number}`) : Exit.succeed(2 * number)))
    })
  )
  return { call, callers, groups }
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)

describe("groupCalls", () => {
  it.effect("runs concurrent calls in one group, and gives each caller its own result", () =>
    Effect.gen(function* () {
      const { call, groups } = makeDoubler()
      const results = yield* Effect.forEach([1, -2, 3], (number) => Effect.exit(call(number)), {
        concurrency: "unbounded"
      })
      expect(results).toEqual([Exit.succeed(2), Exit.fail("not -2"), Exit.succeed(6)])
      expect(groups).toEqual([[1, -2, 3]])
    })
  )

  it.effect("serves a caller that calls again and again without a turn of the event loop in between", () =>
    Effect.gen(function* () {
      const { call, groups } = makeDoubler()
      for (const number of upTo(20_000)) yield* call(number)
      expect(groups).toHaveLength(20_000)
    })
  )

  it.effect("forms the next group while one is running, in the order of the calls and of limited size", () =>
    Effect.gen(function* () {
      const opened = yield* Deferred.make<void>()
      const { call, groups } = makeDoubler(Deferred.await(opened))
      const first = yield* Effect.forkChild(call(0))
      while (groups.length === 0) yield* Effect.yieldNow
      const rest = yield* Effect.forEach(upTo(150), (number) => Effect.forkChild(call(1 + number)))
      for (let turn = 0; turn < 10; turn++) yield* Effect.yieldNow
      expect(groups).toEqual([[0]])
      yield* Deferred.succeed(opened, undefined)
      expect(yield* Fiber.join(first)).toBe(0)
      expect(yield* Effect.forEach(rest, Fiber.join)).toEqual(upTo(150).map((number) => 2 * (1 + number)))
      expect(groups.map(({ length }) => length)).toEqual([1, 64, 64, 22])
      expect(groups.flat()).toEqual(upTo(151))
    })
  )

  it.effect("drops a call that is interrupted before its group starts, and finishes a group that has started", () =>
    Effect.gen(function* () {
      const opened = yield* Deferred.make<void>()
      const { call, groups } = makeDoubler(Deferred.await(opened))
      const [started, waiting] = [yield* Effect.forkChild(call(1)), yield* Effect.forkChild(call(2))]
      while (groups.length === 0) yield* Effect.yieldNow
      const late = yield* Effect.forkChild(call(3))
      const kept = yield* Effect.forkChild(call(4))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(started)
      yield* Fiber.interrupt(late)
      yield* Deferred.succeed(opened, undefined)
      expect(yield* Fiber.join(waiting)).toBe(4)
      expect(yield* Fiber.join(kept)).toBe(8)
      expect(groups).toEqual([[1, 2], [4]])
    })
  )

  it.effect("uses the services of the group's first caller", () =>
    Effect.gen(function* () {
      const { call, callers } = makeDoubler()
      const by = (name: string, number: number) => Effect.provideService(call(number), Caller, name)
      yield* Effect.all([by("one", 1), by("two", 2)], { concurrency: "unbounded" })
      yield* by("two", 3)
      expect(callers).toEqual(["one", "two"])
    })
  )

  it.effect("fails every call in a group that dies, and runs the next group", () =>
    Effect.gen(function* () {
      let runs = 0
      const call = Group.make((numbers: ReadonlyArray<number>) =>
        ++runs === 1 ? Effect.die("broken") : Effect.succeed(numbers.map(Exit.succeed))
      )
      const exits = yield* Effect.forEach([1, 2], (number) => Effect.exit(call(number)), { concurrency: "unbounded" })
      expect(exits.map(Exit.hasDies)).toEqual([true, true])
      expect(yield* call(3)).toBe(3)
    })
  )
})
