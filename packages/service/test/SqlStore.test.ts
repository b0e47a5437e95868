import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as Rows from "../src/internal/sql/rows.js"
import { attempt, order } from "./storeContract/stored.js"

// What the store does is in `storeContract.ts`, and is run by the tests of each engine.
const swap = { ...order(1), state: "accepted", version: 3, updatedAt: 1_767_225_600_001, originTxHash: "0xa" } as const

/** A row as another driver would give it. */
const given = (row: object, by: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [column, by(value)]))
const drivers: ReadonlyArray<readonly [string, (value: unknown) => unknown]> = [
  ["numbers", (value) => value],
  ["bigints", (value) => (Number.isSafeInteger(value) ? BigInt(Number(value)) : value)],
  ["text", (value) => (typeof value === "number" ? String(value) : value)]
]

describe("a row", () => {
  it.effect.each(drivers)("is the same from a driver that gives its numbers as %s", ([, by]) =>
    Effect.gen(function* () {
      const swaps = Rows.all(Rows.Swap)(Effect.succeed([given(yield* Rows.encodeSwap(swap), by)]))
      expect(yield* swaps).toStrictEqual([swap])
      const attempts = [attempt(1), attempt(2, { cancels: true })]
      const rows = yield* Effect.forEach(attempts, (one) =>
        Effect.map(Rows.encodeAttempt(one), (row) => given(row, by))
      )
      expect(yield* Rows.all(Rows.Attempt)(Effect.succeed(rows))).toStrictEqual(attempts)
    })
  )

  it.effect.each(["1.5", "", "one", 1.5, 2n ** 60n, null])("whose version is %s is a defect", (version) =>
    Effect.gen(function* () {
      const row = { ...(yield* Rows.encodeSwap(swap)), version }
      expect(Exit.hasDies(yield* Effect.exit(Rows.all(Rows.Swap)(Effect.succeed([row]))))).toBe(true)
    })
  )

  it("has every column that a swap has, and NULL for what is absent", () => {
    const row = Schema.encodeSync(Rows.Swap)(swap)
    expect(Object.keys(row)).toHaveLength(27)
    expect(row).toMatchObject({ origin_tx_hash: "0xa", delivery_tx_hash: null, failure_code: null })
  })
})
