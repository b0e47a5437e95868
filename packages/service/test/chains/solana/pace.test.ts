import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as Pace from "../../../src/chains/solana/nodes/pace.js"

/** How long the next wait takes, in steps of 100 ms. */
const waitOf = Effect.fnUntraced(function* (pace: Pace.Pace, atMost: number = 600_000) {
  const waiting = yield* Effect.forkChild(pace.next(atMost))
  let millis = 0
  // The fiber starts to wait.
  yield* TestClock.adjust(0)
  for (; waiting.pollUnsafe() === undefined; millis += 100) yield* TestClock.adjust("100 millis")
  yield* Fiber.join(waiting)
  return millis
})

describe("the pace of observations on Solana", () => {
  it.effect("ends the waits of all transactions at the same time", () =>
    Effect.gen(function* () {
      const pace = Pace.make(1_000)
      const first = yield* Effect.forkChild(pace.next(600_000))
      yield* TestClock.adjust("900 millis")
      const second = yield* Effect.forkChild(pace.next(600_000))
      yield* TestClock.adjust("99 millis")
      expect([first.pollUnsafe(), second.pollUnsafe()]).toEqual([undefined, undefined])
      yield* TestClock.adjust("1 millis")
      yield* Fiber.joinAll([first, second])
      expect(yield* waitOf(pace)).toBe(1_000)
    })
  )

  it.effect("follows the slot time, but not below the configured interval", () =>
    Effect.gen(function* () {
      for (const [slotMillis, slots, interval] of [
        [400, 1n, 1_000],
        [3_000, 1n, 3_000],
        [3_000, 2n, 1_500],
        [100_000, 1n, 15_000]
      ] as const) {
        const pace = Pace.make(1_000)
        let slot = 1n
        for (let round = 0; round < 5; round++) {
          yield* pace.saw(slot)
          // Another node may be behind.
          yield* pace.saw(slot - 1n)
          slot += slots
          yield* TestClock.adjust(slotMillis)
        }
        expect(yield* waitOf(pace)).toBe(interval)
      }
    })
  )

  it.effect("does not wait longer than the caller allows", () =>
    Effect.gen(function* () {
      expect(yield* waitOf(Pace.make(60_000), 2_000)).toBe(2_000)
    })
  )
})
