import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { makeStatuses } from "../../src/calls/status.js"
import * as SwapSignals from "../../src/concurrency/SwapSignals.js"
import type { SwapRecord } from "../../src/domain/SwapRecord.js"
import type { Store } from "../../src/store/Store.js"
import { order } from "../../src/testing/storeContract/fixture.js"

/** The statuses of a store with any swap in one state, which counts its reads. */
const statusesOf = Effect.fnUntraced(function* (state: SwapRecord["state"]) {
  const reads: Array<string> = []
  const swap: Store["swap"] = (id) =>
    Effect.sync(() => {
      reads.push(id)
      return Option.some({ ...order(1), id, accountId: "one", state, version: 1, updatedAt: 0 } as SwapRecord)
    })
  return { reads, ...(yield* makeStatuses(yield* SwapSignals.make, { swap })) }
})

describe("statuses", () => {
  it.effect("reads a finished swap once, and only for its account", () =>
    Effect.gen(function* () {
      const { read, reads, recall } = yield* statusesOf("settled")
      const [first, second] = [yield* read("one", "a"), yield* read("one", "a")]
      expect(second).toBe(first)
      expect(recall("one", "a")).toBe(first)
      expect(recall("two", "a")).toBe(undefined)
      expect((yield* Effect.flip(read("two", "a"))).code).toBe("SWAP_NOT_FOUND")
      expect(reads).toEqual(["a"])
    })
  )

  it.effect("hides the swaps of other accounts, whether they have finished or not", () =>
    Effect.gen(function* () {
      for (const state of ["settled", "origin_sent"] as const) {
        const { read, recall } = yield* statusesOf(state)
        expect((yield* Effect.flip(read("two", "a"))).code).toBe("SWAP_NOT_FOUND")
        expect(recall("two", "a")).toBe(undefined)
      }
    })
  )

  it.effect("forgets a finished swap after a minute", () =>
    Effect.gen(function* () {
      const { read, reads, recall } = yield* statusesOf("refunded")
      yield* read("one", "a")
      yield* TestClock.adjust("59 seconds")
      yield* read("one", "b")
      expect(recall("one", "a")).toBeDefined()
      yield* TestClock.adjust("1 second")
      yield* read("one", "c")
      expect(["a", "b", "c"].map((id) => recall("one", id) !== undefined)).toEqual([false, true, true])
      yield* read("one", "a")
      expect(reads).toEqual(["a", "b", "c", "a"])
    })
  )

  it.effect("reads a pending swap every time", () =>
    Effect.gen(function* () {
      const { read, reads, recall } = yield* statusesOf("origin_sent")
      yield* read("one", "a")
      yield* read("one", "a")
      expect([recall("one", "a"), reads.length]).toEqual([undefined, 2])
    })
  )
})
