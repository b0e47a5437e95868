/** Reads the totals of the reservations, and compares them with the reservations when the store starts. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Rows from "../rows.js"
import type { Reserved } from "../Store.js"
import { amountOfParts, storedParts, sumOfParts } from "./amountParts.js"
import { rebuild } from "./migration.js"

export interface ReservationTotals {
  /** The reserved amount of a token on a chain. */
  readonly of: (chainId: number, token: string) => Effect.Effect<bigint, SqlError>
  /** The reserved amounts of all tokens that have reservations. */
  readonly all: Effect.Effect<ReadonlyArray<Reserved>, SqlError>
  /** The sums of the reservations themselves. */
  readonly sums: Effect.Effect<ReadonlyArray<Reserved>, SqlError>
  /** The statements that compute the totals from the reservations. */
  readonly rebuild: ReadonlyArray<string>
}

const postgresRows = Rows.all(Rows.Reservation)

const difference = `SELECT t.chain_id, t.token, (t.amount - COALESCE((
    SELECT SUM(r.amount) FROM released_reservations r WHERE r.chain_id = t.chain_id AND r.token = t.token
  ), 0))::text AS amount FROM reservation_totals t`

const isReserved = ({ amount }: Reserved): boolean => amount !== 0n

export const postgres = (sql: SqlClient): ReservationTotals => ({
  of: (chainId, token) =>
    Effect.map(
      postgresRows(sql.unsafe(`${difference} WHERE t.chain_id = $1 AND t.token = $2`, [chainId, token])),
      ([total]) => total?.amount ?? 0n
    ),
  all: Effect.map(postgresRows(sql.unsafe(`${difference} ORDER BY t.chain_id, t.token`)), (totals) =>
    totals.filter(isReserved)
  ),
  sums: Effect.map(
    postgresRows(
      sql.unsafe(`SELECT chain_id, token, SUM(amount::numeric)::text AS amount FROM reservations
        GROUP BY chain_id, token ORDER BY chain_id, token`)
    ),
    (sums) => sums.filter(isReserved)
  ),
  rebuild: rebuild.postgres
})

const PartsRow = Schema.Struct({ chain_id: Rows.Whole, token: Schema.String, parts: Schema.NullOr(Schema.String) })
const partsRows = Rows.all(PartsRow)

const reservedOf = (rows: ReadonlyArray<typeof PartsRow.Type>): ReadonlyArray<Reserved> =>
  rows
    .map(({ chain_id, parts, token }) => ({ chainId: chain_id, token, amount: amountOfParts(parts) }))
    .filter(isReserved)

export const sqlite = (sql: SqlClient): ReservationTotals => {
  const stored = `SELECT chain_id, token, ${storedParts} AS parts FROM reservation_totals`
  return {
    of: (chainId, token) =>
      Effect.map(partsRows(sql.unsafe(`${stored} WHERE chain_id = ? AND token = ?`, [chainId, token])), ([total]) =>
        amountOfParts(total?.parts)
      ),
    all: Effect.map(partsRows(sql.unsafe(`${stored} ORDER BY chain_id, token`)), reservedOf),
    sums: Effect.map(
      partsRows(
        sql.unsafe(`SELECT chain_id, token, ${sumOfParts("amount")} AS parts FROM reservations
          GROUP BY chain_id, token ORDER BY chain_id, token`)
      ),
      reservedOf
    ),
    rebuild: rebuild.sqlite
  }
}

const describe = (amounts: ReadonlyArray<Reserved>): string =>
  amounts
    .map(({ amount, chainId, token }) => `${chainId} ${token} ${amount}`)
    .toSorted()
    .join()

/**
 * Compares the totals with the sums of the reservations, and rebuilds the totals if they differ. Triggers keep the
 * totals, so they can differ only if the tables were changed while the triggers were disabled, as some restores do.
 */
export const check = Effect.fnUntraced(function* (
  totals: ReservationTotals,
  sql: SqlClient,
  transactions: {
    /** Runs a transaction in which all reads see the same state. */
    readonly snapshot: SqlClient["withTransaction"]
    readonly write: SqlClient["withTransaction"]
  }
): Effect.fn.Return<void, SqlError> {
  const [kept, sums] = yield* transactions.snapshot(Effect.all([totals.all, totals.sums]))
  if (describe(kept) === describe(sums)) return
  yield* Effect.logError("The totals of the reservations did not match the reservations. They were computed again.")
  yield* transactions.write(
    Effect.forEach(totals.rebuild, (statement) => sql.unsafe(statement).unprepared, { discard: true })
  )
})
