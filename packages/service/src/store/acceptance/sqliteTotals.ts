/** Changes the totals of claims on SQLite, in the transaction that adds or removes the claims. */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { keyOf, type Resource, summed } from "../../domain/Claim.js"
import { partColumns, partsOfAmount } from "./amountParts.js"

const change = `INSERT INTO claim_totals (kind, name, ${partColumns.join(", ")})
  VALUES (?, ?, ${partColumns.map(() => "?").join(", ")})
  ON CONFLICT (kind, name) DO UPDATE
  SET ${partColumns.map((column) => `${column} = ${column} + excluded.${column}`).join(", ")}`

/** Adds amounts to the totals of their resources, or subtracts them. */
export const changeTotals = (
  sql: SqlClient,
  claims: ReadonlyArray<Resource & { readonly amount: string }>,
  sign: 1n | -1n
): Effect.Effect<void, SqlError> => {
  const sums = new Map<string, { readonly resource: Resource; amount: bigint }>()
  for (const { amount, kind, name } of claims) {
    if (!summed.includes(kind)) continue
    const key = keyOf({ kind, name })
    const sum = sums.get(key) ?? { resource: { kind, name }, amount: 0n }
    sums.set(key, sum)
    sum.amount += sign * BigInt(amount)
  }
  return Effect.forEach(
    sums.values(),
    ({ amount, resource: { kind, name } }) => sql.unsafe(change, [kind, name, ...partsOfAmount(amount)]),
    { discard: true }
  )
}
