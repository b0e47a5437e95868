import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { together } from "../../src/concurrency/together.js"

describe("together", () => {
  it("returns known values without running anything", () => {
    const result = together([Effect.succeed(1), Effect.succeed("two")])
    expect(Exit.isExit(result) && result).toEqual(Exit.succeed([1, "two"]))
  })

  it.effect("runs the other reads concurrently", () =>
    Effect.gen(function* () {
      const slow = (value: number) => Effect.as(Effect.sleep(1_000), value)
      const fiber = yield* Effect.forkChild(together([slow(1), Effect.succeed(2), slow(3)]))
      yield* TestClock.adjust(1_000)
      expect(yield* Fiber.join(fiber)).toEqual([1, 2, 3])
    })
  )

  it.effect("fails with the failure of a read, even if it is known at once", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(together([Effect.succeed(1), Effect.fail("no")]))).toBe("no")
    })
  )
})
