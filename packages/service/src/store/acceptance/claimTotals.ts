/** Reads the totals of claims, and compares them with the claims when the store starts. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Rows from "../sql/rows.js"
import type { Reserved } from "../Store.js"
import { amountOfParts, storedParts, sumOfParts } from "./amountParts.js"
import { isSummed, rebuild } from "./claimTables.js"

/** What is claimed of a resource. */
interface Total {
  readonly kind: string
  readonly name: string
  readonly amount: bigint
}

export interface ClaimTotals {
  /** The claimed outputs of all vaults and tokens. */
  readonly outputs: Effect.Effect<ReadonlyArray<Reserved>, SqlError>
  /** The refunds that vaults owe: the inputs that have arrived and whose swaps are not settled. */
  readonly owed: Effect.Effect<ReadonlyArray<Reserved>, SqlError>
  /** All totals that are kept. */
  readonly kept: Effect.Effect<ReadonlyArray<Total>, SqlError>
  /** The same sums, computed from the claims. */
  readonly sums: Effect.Effect<ReadonlyArray<Total>, SqlError>
  /** The statements that compute the totals from the claims. */
  readonly rebuild: ReadonlyArray<string>
}

const totalRows = Rows.all(
  Schema.Struct({ kind: Schema.String, name: Schema.String, amount: Schema.NullOr(Schema.String) })
)

/** Splits the name of a vault's token on a chain. */
const reservedOf = ({ amount, name }: Total): Reserved => {
  const [chainId = "", vault = "", token = ""] = name.split(" ")
  return { chainId: Number(chainId), vault, token, amount }
}

/** The SQL of a dialect: a table with the totals, the expression for one, and the expression for a sum of claims. */
interface Expressions {
  readonly table: string
  readonly total: string
  readonly sum: string
}

const make = (sql: SqlClient, { sum, table, total }: Expressions, statements: ReadonlyArray<string>): ClaimTotals => {
  const read = (statement: string): Effect.Effect<ReadonlyArray<Total>, SqlError> =>
    Effect.map(totalRows(sql.unsafe(statement)), (rows) =>
      rows
        .toSorted((one, other) => (one.name < other.name ? -1 : 1))
        .map((row) => ({ ...row, amount: amountOfParts(row.amount) }))
        .filter(({ amount }) => amount !== 0n)
    )
  const sumOf = (which: string) =>
    read(`SELECT kind, name, ${sum} AS amount FROM claims WHERE ${which} GROUP BY kind, name`)
  const reserved = Effect.map((totals: ReadonlyArray<Total>) => totals.map(reservedOf))
  return {
    outputs: reserved(read(`SELECT kind, name, ${total} AS amount FROM ${table} WHERE kind = 'output'`)),
    owed: reserved(sumOf("kind = 'refund' AND from_block IS NOT NULL")),
    kept: read(`SELECT kind, name, ${total} AS amount FROM ${table}`),
    sums: sumOf(isSummed),
    rebuild: statements
  }
}

export const postgres = (sql: SqlClient): ClaimTotals => {
  const all = "SELECT kind, name, amount FROM claim_totals UNION ALL SELECT kind, name, amount FROM claim_changes"
  const table = `(SELECT kind, name, SUM(amount) AS amount FROM (${all}) AS parts GROUP BY kind, name) AS totals`
  return make(sql, { table, total: "amount::text", sum: "SUM(amount::numeric)::text" }, rebuild.postgres)
}

export const sqlite = (sql: SqlClient): ClaimTotals =>
  make(sql, { table: "claim_totals", total: storedParts, sum: sumOfParts("amount") }, rebuild.sqlite)

const describe = (totals: ReadonlyArray<Total>): string =>
  totals
    .map(({ amount, kind, name }) => `${kind} ${name} ${amount}`)
    .toSorted()
    .join()

/**
 * Compares the totals with the sums of the claims, and rebuilds the totals if they differ. They can differ only if another
 * program has changed the tables, for example a restore that disables triggers.
 */
export const check = Effect.fnUntraced(function* (
  totals: ClaimTotals,
  sql: SqlClient,
  transactions: {
    /** Runs a transaction in which all reads see the same state. */
    readonly snapshot: SqlClient["withTransaction"]
    readonly write: SqlClient["withTransaction"]
  }
): Effect.fn.Return<void, SqlError> {
  const [kept, sums] = yield* transactions.snapshot(Effect.all([totals.kept, totals.sums]))
  if (describe(kept) === describe(sums)) return
  yield* Effect.logError("The totals of the claims did not match the claims. They were computed again.")
  yield* transactions.write(
    Effect.forEach(totals.rebuild, (statement) => sql.unsafe(statement).unprepared, { discard: true })
  )
})
