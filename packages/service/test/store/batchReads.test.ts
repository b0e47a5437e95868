import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Batch from "../../src/store/sql/batchReads.js"

/** Existing rows, and the ids of each statement. */
const makeTable = (before: Effect.Effect<void, string> = Effect.void) => {
  const asked: Array<ReadonlyArray<string>> = []
  const read = Batch.make(
    (ids) => {
      asked.push(ids)
      return Effect.as(
        before,
        ids.filter((id) => !id.startsWith("no ")).map((id) => ({ id, at: asked.length }))
      )
    },
    ({ id }) => id
  )
  return { asked, read }
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => `row ${index}`)

describe("batchReads", () => {
  it.effect("reads concurrent ids with one statement, and returns each row or undefined", () =>
    Effect.gen(function* () {
      const { asked, read } = makeTable()
      const found = yield* Effect.forEach(["row 1", "no 2", "row 3", "row 1"], read, { concurrency: "unbounded" })
      expect(found).toEqual([[{ id: "row 1", at: 1 }], [], [{ id: "row 3", at: 1 }], [{ id: "row 1", at: 1 }]])
      expect(asked).toEqual([["row 1", "no 2", "row 3"]])
    })
  )

  it.effect("returns all rows of an id", () =>
    Effect.gen(function* () {
      const rows = ["a 1", "b 1", "a 2"]
      const read = Batch.make(
        () => Effect.succeed(rows),
        (row) => row.slice(0, 1)
      )
      expect(yield* Effect.forEach(["a", "b", "c"], read, { concurrency: "unbounded" })).toEqual([
        ["a 1", "a 2"],
        ["b 1"],
        []
      ])
    })
  )

  it.effect("reads up to five hundred ids per statement, and forgets none", () =>
    Effect.gen(function* () {
      const { asked, read } = makeTable()
      const wanted = ids(2_345)
      const found = yield* Effect.forEach(wanted, read, { concurrency: "unbounded" })
      expect(found.flatMap((rows) => rows.map(({ id }) => id))).toEqual(wanted)
      expect(asked.map(({ length }) => length)).toEqual([500, 500, 500, 500, 345])
    })
  )

  it.effect("fails all reads of a statement, and continues with the next", () =>
    Effect.gen(function* () {
      let isDown = true
      const { read } = makeTable(Effect.suspend(() => (isDown ? Effect.fail("down") : Effect.void)))
      const failed = yield* Effect.forEach(ids(3), (id) => Effect.flip(read(id)), { concurrency: "unbounded" })
      expect(failed).toEqual(["down", "down", "down"])
      isDown = false
      expect(yield* read("row 1")).toMatchObject([{ id: "row 1" }])
    })
  )

  it.effect("starts a read after it was requested: a running statement is not shared", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const { asked, read } = makeTable(Deferred.await(gate))
      const first = yield* Effect.forkChild(read("row 1"))
      while (asked.length === 0) yield* Effect.yieldNow
      const second = yield* Effect.forkChild(read("row 1"))
      while (asked.length === 1) yield* Effect.yieldNow
      yield* Deferred.succeed(gate, undefined)
      expect(yield* Fiber.join(first)).toMatchObject([{ id: "row 1" }])
      expect(yield* Fiber.join(second)).toMatchObject([{ id: "row 1" }])
      expect(asked).toEqual([["row 1"], ["row 1"]])
    })
  )

  it.effect("runs at most two statements at once, and does not wait for an interrupted read", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const { asked, read } = makeTable(Deferred.await(gate))
      const fibers = yield* Effect.forEach(["a", "b", "c", "d"], (id) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.forkChild(read(id))
          for (let turn = 0; turn < 10; turn++) yield* Effect.yieldNow
          return fiber
        })
      )
      expect(asked).toEqual([["a"], ["b"]])
      const [, , third] = fibers
      if (third !== undefined) yield* Fiber.interrupt(third)
      yield* Deferred.succeed(gate, undefined)
      for (const fiber of fibers.filter((each) => each !== third)) yield* Fiber.join(fiber)
      expect(asked).toEqual([["a"], ["b"], ["d"]])
    })
  )
})
