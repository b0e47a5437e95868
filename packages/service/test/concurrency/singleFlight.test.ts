import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as SingleFlight from "../../src/concurrency/singleFlight.js"

/** An effect that counts its starts and continues on demand. */
const makeWork = Effect.gen(function* () {
  const go = yield* Deferred.make<number, string>()
  let started = 0
  const work = Effect.andThen(
    Effect.sync(() => void started++),
    Deferred.await(go)
  )
  return { go, work, started: () => started }
})

/** Waits until all started fibers wait. */
const settle = Effect.andThen(Effect.yieldNow, Effect.yieldNow)

describe("singleFlight", () => {
  it.effect("runs concurrent calls once, and returns the result to all of them", () =>
    Effect.gen(function* () {
      const { started, go, work } = yield* makeWork
      const once = SingleFlight.make<number, string>()
      const all = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(once("one", work)))
      yield* settle
      expect(started()).toBe(1)
      yield* Deferred.succeed(go, 7)
      expect(yield* Effect.forEach(all, Fiber.join)).toEqual([7, 7, 7])
    })
  )

  it.effect("runs once per key", () =>
    Effect.gen(function* () {
      const { started, go, work } = yield* makeWork
      const once = SingleFlight.make<number, string>()
      const all = yield* Effect.forEach(["one", "other"], (key) => Effect.forkChild(once(key, work)))
      yield* settle
      expect(started()).toBe(2)
      yield* Deferred.succeed(go, 7)
      yield* Effect.forEach(all, Fiber.join)
    })
  )

  it.effect("continues for the others if the first caller is interrupted", () =>
    Effect.gen(function* () {
      const { started, go, work } = yield* makeWork
      const once = SingleFlight.make<number, string>()
      const first = yield* Effect.forkChild(once("one", work))
      const second = yield* Effect.forkChild(once("one", work))
      yield* settle
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(go, 7)
      expect(yield* Fiber.join(second)).toBe(7)
      expect(started()).toBe(1)
    })
  )

  it.effect("runs again after a failure", () =>
    Effect.gen(function* () {
      const { started, go, work } = yield* makeWork
      const once = SingleFlight.make<number, string>()
      yield* Deferred.fail(go, "no")
      expect(yield* Effect.flip(once("one", work))).toBe("no")
      expect(yield* Effect.flip(once("one", work))).toBe("no")
      expect(started()).toBe(2)
    })
  )
})
