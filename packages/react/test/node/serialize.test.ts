import { describe, expect, it } from "vitest"
import { deserialize, serialize } from "../../src/query.js"

describe("serialize and deserialize", () => {
  it.each([
    ["amounts", { amount: 2n ** 256n, list: [0n, -1n] }],
    ["times", { acceptedAt: new Date(1_800_000_000_123) }],
    ["other data", { a: 1, b: "2", c: null, d: [true, { e: {} }] }],
    ["bare values", 5n],
    ["fields with similar names", { a: { $bigint: "x" }, b: { $bigint: "1", c: 2 }, d: { $date: 1 } }]
  ])("keep %s", (_, data) => {
    expect(deserialize(serialize(data))).toEqual(data)
  })
})
