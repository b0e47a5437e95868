import { describe, expect, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { divide } from "../../src/accounts/divideLimit.js"

/** The shares of all replicas, each computed separately. */
const partsOf = (limit: number, wanted: ReadonlyArray<number>) =>
  wanted.map((own, index) => divide(limit, own, wanted.toSpliced(index, 1)))

const sumOf = (parts: ReadonlyArray<number>) => parts.reduce((sum, part) => sum + part, 0)

describe("divide", () => {
  it.each<readonly [ReadonlyArray<number>, ReadonlyArray<number>]>([
    [[0], [1]],
    [[3], [1]],
    [[50], [1]],
    [
      [20, 20],
      [0.5, 0.5]
    ],
    [
      [30, 300],
      [0.5, 0.5]
    ],
    // A demand below an equal share is met, and the others share the rest.
    [
      [2, 100],
      [0.2, 0.8]
    ],
    [
      [1, 4, 100],
      [0.1, 0.4, 0.5]
    ],
    // The unused part is divided evenly.
    [
      [2, 4],
      [0.4, 0.6]
    ],
    [
      [0, 10],
      [0, 1]
    ]
  ])("divides 10 calls per second between demands of %j as %j", (wanted, parts) => {
    for (const [index, part] of partsOf(10, wanted).entries()) expect(part).toBeCloseTo(parts[index] ?? NaN, 9)
  })

  const Demand = Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: 1e6 }))
  it.prop(
    "always adds up to the limit, and meets each demand up to an equal share",
    [Schema.NonEmptyArray(Demand), Schema.Number.check(Schema.isBetween({ minimum: 0.001, maximum: 1e6 }))],
    ([wanted, limit]) => {
      const parts = partsOf(limit, wanted)
      expect(sumOf(parts)).toBeCloseTo(1, 6)
      for (const [index, part] of parts.entries()) {
        expect(part).toBeGreaterThanOrEqual(Math.min((wanted[index] ?? 0) / limit, 1 / wanted.length) - 1e-9)
      }
    }
  )
})
