/** Reads the totals of the claimed outputs, and compares them with the claims when the store starts. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Rows from "../rows.js"
import type { Reserved } from "../Store.js"
import { amountOfParts, storedParts, sumOfParts } from "./amountParts.js"
import { rebuild } from "./tables.js"

export interface OutputTotals {
  /** The claimed outputs of all vaults and tokens. */
  readonly all: Effect.Effect<ReadonlyArray<Reserved>, SqlError>
  /** The sums of the claims themselves. */
  readonly sums: Effect.Effect<ReadonlyArray<Reserved>, SqlError>
  /** The refunds that vaults owe: the inputs that have arrived and whose swaps are not settled. */
  readonly owed: Effect.Effect<ReadonlyArray<Reserved>, SqlError>
  /** The statements that compute the totals from the claims. */
  readonly rebuild: ReadonlyArray<string>
}

const TotalRow = Schema.Struct({ name: Schema.String, amount: Schema.NullOr(Schema.String) })
const totalRows = Rows.all(TotalRow)

/** Splits the name of a vault's token on a chain. */
const reservedOf = ({ amount, name }: typeof TotalRow.Type): Reserved => {
  const [chainId = "", vault = "", token = ""] = name.split(" ")
  return { chainId: Number(chainId), vault, token, amount: amountOfParts(amount) }
}

const read = (sql: SqlClient, statement: string): Effect.Effect<ReadonlyArray<Reserved>, SqlError> =>
  Effect.map(totalRows(sql.unsafe(statement)), (rows) =>
    rows
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .map(reservedOf)
      .filter(({ amount }) => amount !== 0n)
  )

const make = (sql: SqlClient, total: string, sum: string, statements: ReadonlyArray<string>): OutputTotals => {
  const sumOf = (which: string) => read(sql, `SELECT name, ${sum} AS amount FROM claims WHERE ${which} GROUP BY name`)
  return {
    all: read(sql, `SELECT t.name, ${total} AS amount FROM output_totals t`),
    sums: sumOf("kind = 'output'"),
    owed: sumOf("kind = 'refund' AND from_block IS NOT NULL"),
    rebuild: statements
  }
}

/** An SQL expression for the total of an output on PostgreSQL. */
const postgresTotal = `(t.amount - COALESCE((
    SELECT SUM(r.amount) FROM released_outputs r WHERE r.name = t.name
  ), 0))::text`

export const postgres = (sql: SqlClient): OutputTotals =>
  make(sql, postgresTotal, "SUM(amount::numeric)::text", rebuild.postgres)

export const sqlite = (sql: SqlClient): OutputTotals => make(sql, storedParts, sumOfParts("amount"), rebuild.sqlite)

const describe = (amounts: ReadonlyArray<Reserved>): string =>
  amounts
    .map(({ amount, chainId, token, vault }) => `${chainId} ${vault} ${token} ${amount}`)
    .toSorted()
    .join()

/**
 * Compares the totals with the sums of the claims, and rebuilds the totals if they differ. Triggers keep the totals, so
 * they can differ only if the tables were changed while the triggers were disabled, as some restores do.
 */
export const check = Effect.fnUntraced(function* (
  totals: OutputTotals,
  sql: SqlClient,
  transactions: {
    /** Runs a transaction in which all reads see the same state. */
    readonly snapshot: SqlClient["withTransaction"]
    readonly write: SqlClient["withTransaction"]
  }
): Effect.fn.Return<void, SqlError> {
  const [kept, sums] = yield* transactions.snapshot(Effect.all([totals.all, totals.sums]))
  if (describe(kept) === describe(sums)) return
  yield* Effect.logError("The totals of the claimed outputs did not match the claims. They were computed again.")
  yield* transactions.write(
    Effect.forEach(totals.rebuild, (statement) => sql.unsafe(statement).unprepared, { discard: true })
  )
})
