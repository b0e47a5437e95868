import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { DatabaseSync } from "node:sqlite"
import { amountOfParts, sumOfParts } from "../../../src/store/acceptance/amountParts.js"

const Amount = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 2n ** 256n - 1n }))
const largest = 2n ** 256n - 1n

/** The sum of amounts as SQLite computes it. */
const sumOf = (amounts: ReadonlyArray<bigint>): bigint => {
  const database = new DatabaseSync(":memory:")
  database.exec("CREATE TABLE amounts (amount TEXT NOT NULL)")
  const insert = database.prepare("INSERT INTO amounts VALUES (?)")
  for (const amount of amounts) insert.run(amount.toString())
  const row = database.prepare(`SELECT ${sumOfParts("amount")} AS sum FROM amounts`).get()
  database.close()
  return amountOfParts(row?.["sum"] as string | null)
}

describe("amountParts", () => {
  it.effect.prop("sums amounts of 256 bits without loss", [Schema.Array(Amount)], ([amounts]) =>
    Effect.sync(() => expect(sumOf(amounts)).toBe(amounts.reduce((sum, amount) => sum + amount, 0n)))
  )

  it("sums the largest amounts, and nothing", () => {
    expect(sumOf([])).toBe(0n)
    expect(sumOf(Array.from({ length: 1_000 }, () => largest))).toBe(1_000n * largest)
    expect(sumOf([999_999_999n, 1n, 10n ** 9n, 10n ** 77n])).toBe(10n ** 77n + 2n * 10n ** 9n)
  })
})
