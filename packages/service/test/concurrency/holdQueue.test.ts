import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as HoldQueue from "../../src/concurrency/holdQueue.js"

/** Waiters that record when they are woken. */
const makeWaiters = (count: number) => {
  const woken: Array<number> = []
  return { woken, waiters: Array.from({ length: count }, (_, index) => ({ wake: () => void woken.push(index) })) }
}

describe("the queue of waiting requests", () => {
  it.effect("wakes every waiter once, after its own time, in order", () =>
    Effect.gen(function* () {
      const queue = yield* HoldQueue.make(15_000)
      const { waiters, woken } = makeWaiters(3)
      for (const waiter of waiters) {
        queue.add(waiter)
        yield* TestClock.adjust(1_000)
      }
      yield* TestClock.adjust(11_999)
      expect(woken).toEqual([])
      yield* TestClock.adjust(1)
      expect(woken).toEqual([0])
      yield* TestClock.adjust(999)
      expect(woken).toEqual([0])
      yield* TestClock.adjust(251)
      expect(woken).toEqual([0, 1])
      yield* TestClock.adjust(60_000)
      expect(woken).toEqual([0, 1, 2])
    })
  )

  it.effect("does not wake a waiter that was removed, and works again after it was empty", () =>
    Effect.gen(function* () {
      const queue = yield* HoldQueue.make(15_000)
      const { waiters, woken } = makeWaiters(3)
      const [first, second, third] = waiters
      if (first === undefined || second === undefined || third === undefined) return expect.fail("there are three")
      queue.add(first)
      queue.add(second)
      queue.remove(first)
      yield* TestClock.adjust(20_000)
      expect(woken).toEqual([1])
      queue.add(third)
      yield* TestClock.adjust(20_000)
      expect(woken).toEqual([1, 2])
    })
  )
})
