import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as TestClock from "effect/testing/TestClock"
import * as WarmReads from "../../src/concurrency/warmReads.js"

const make = Effect.gen(function* () {
  const asked: Array<string> = []
  const cache = WarmReads.make<number, never>(yield* Clock.Clock, { ttlMillis: 1_000, capacity: 2 })
  const read = (key: string) =>
    cache(key, () =>
      Effect.andThen(
        Effect.yieldNow,
        Effect.sync(() => asked.push(key))
      )
    )
  return { asked, read }
})

describe("warm reads", () => {
  it.effect("return a cached value as a value, for the given time", () =>
    Effect.gen(function* () {
      const { asked, read } = yield* make
      expect(Exit.isExit(read("a"))).toBe(false)
      yield* read("a")
      yield* TestClock.adjust(999)
      expect(read("a")).toEqual(Exit.succeed(1))
      yield* TestClock.adjust(1)
      expect(Exit.isExit(read("a"))).toBe(false)
      expect(yield* read("a")).toBe(2)
      expect(asked).toEqual(["a", "a"])
    })
  )

  it.effect("share one request among concurrent readers", () =>
    Effect.gen(function* () {
      const { asked, read } = yield* make
      expect(yield* Effect.all([read("a"), read("a"), read("b")], { concurrency: "unbounded" })).toEqual([1, 1, 2])
      expect(asked).toEqual(["a", "b"])
    })
  )

  it.effect("drop the oldest value if there are too many", () =>
    Effect.gen(function* () {
      const { read } = yield* make
      yield* Effect.forEach(["a", "b", "c"], read)
      expect(["a", "b", "c"].map((key) => Exit.isExit(read(key)))).toEqual([false, true, true])
    })
  )
})
