/** The totals of claims: reads them, keeps them on SQLite, and compares them with the claims when the store starts. */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { keyOf, kinds, type Resource, summed } from "../../domain/Claim.js"
import { type Dialect, insertRows } from "../sql/dialect.js"
import * as Rows from "../sql/rows.js"
import type { Reserved } from "../Store.js"
import { isSummed } from "./claimTables.js"

/** What is claimed of a resource. */
interface Total extends Resource {
  readonly amount: bigint
}

const totalRows = Rows.table<Total>({ kind: Rows.oneOf(kinds), name: Rows.text, amount: Rows.sum })

/** Splits the name of a vault's token on a chain. */
const reservedOf = ({ amount, name }: Total): Reserved => {
  const [chainId = "", vault = "", token = ""] = name.split(" ")
  return { chainId: Number(chainId), vault, token, amount }
}

/** A subquery with the totals. On PostgreSQL, a total is the sum of its row and of the changes since. */
export const totals = {
  postgres: `(SELECT kind, name, amount FROM claim_totals UNION ALL SELECT kind, name, amount FROM claim_changes)`,
  sqlite: "claim_totals"
}

const columns = { kind: "TEXT", name: "TEXT", amount: "NUMERIC" } as const

const isResource = "claim_totals.kind = given.kind AND claim_totals.name = given.name"

const describe = (some: ReadonlyArray<Total>): string =>
  some
    .map((total) => `${keyOf(total)} ${total.amount}`)
    .toSorted()
    .join()

export interface ClaimTotals {
  /** The claimed outputs of all vaults and tokens. */
  readonly outputs: Effect.Effect<ReadonlyArray<Reserved>, SqlError>
  /** The refunds that vaults owe: the inputs that have arrived and whose swaps are not settled. */
  readonly owed: Effect.Effect<ReadonlyArray<Reserved>, SqlError>
  /** All totals that are kept. */
  readonly kept: Effect.Effect<ReadonlyArray<Total>, SqlError>
  /** The same sums, computed from the claims. */
  readonly sums: Effect.Effect<ReadonlyArray<Total>, SqlError>
  /** Adds claims to the totals, or subtracts them. On PostgreSQL, triggers do this. */
  readonly add: (
    claims: ReadonlyArray<Resource & { readonly amount: string }>,
    sign: 1n | -1n
  ) => Effect.Effect<void, SqlError>
  /**
   * Compares the totals with the sums of the claims, and computes the totals again if they differ. They can differ only if
   * another program has changed the tables, for example a restore that disables triggers.
   */
  readonly check: Effect.Effect<void, SqlError>
}

export const make = (sql: SqlClient, dialect: Dialect): ClaimTotals => {
  const { engine, given, snapshot, sum, transaction, writeAll } = dialect

  const sumOf = (table: string, which: string): Effect.Effect<ReadonlyArray<Total>, SqlError> =>
    Effect.map(
      totalRows.read(
        sql.unsafe(
          `SELECT kind, name, ${sum("amount")} AS amount FROM ${table} AS claimed WHERE ${which} GROUP BY kind, name ORDER BY name`
        )
      ),
      (rows) => rows.filter(({ amount }) => amount !== 0n)
    )
  const reserved = Effect.map((some: ReadonlyArray<Total>) => some.map(reservedOf))
  const kept = sumOf(totals[engine], "true")
  const sums = sumOf("claims", isSummed)

  const write = (some: ReadonlyArray<Total>) => {
    const rows = some.map((total) => ({ ...total, amount: total.amount.toString() }))
    const insert = insertRows(dialect, "claim_totals", columns, rows)
    return writeAll([
      (parameter) => `${insert(parameter)} WHERE true ON CONFLICT (kind, name) DO UPDATE SET amount = excluded.amount`
    ])
  }

  return {
    outputs: reserved(sumOf(totals[engine], "kind = 'output'")),
    owed: reserved(sumOf("claims", "kind = 'refund' AND from_block IS NOT NULL")),
    kept,
    sums,
    add: Effect.fnUntraced(function* (claims, sign) {
      const sums = new Map<string, Total>()
      for (const { amount, kind, name } of claims) {
        if (!summed.includes(kind)) continue
        const before = sums.get(keyOf({ kind, name }))?.amount ?? 0n
        sums.set(keyOf({ kind, name }), { kind, name, amount: before + sign * BigInt(amount) })
      }
      if (engine === "postgres" || sums.size === 0) return
      const wanted = JSON.stringify(Array.from(sums.values(), ({ kind, name }) => ({ kind, name })))
      const resources = given("?", { kind: "TEXT", name: "TEXT" })
      const found = yield* totalRows.read(
        sql.unsafe(`SELECT claim_totals.* FROM ${resources} CROSS JOIN claim_totals WHERE ${isResource}`, [wanted])
      )
      const before = new Map(found.map((total) => [keyOf(total), total.amount]))
      yield* write(
        Array.from(sums.values(), (total) => ({ ...total, amount: (before.get(keyOf(total)) ?? 0n) + total.amount }))
      )
    }),
    check: Effect.gen(function* () {
      const [before, now] = yield* snapshot(Effect.all([kept, sums]))
      if (describe(before) === describe(now)) return
      yield* Effect.logError("The totals of the claims did not match the claims. They were computed again.")
      yield* transaction(
        Effect.gen(function* () {
          if (engine === "postgres") {
            yield* sql`LOCK TABLE claims IN SHARE ROW EXCLUSIVE MODE`
            yield* sql`DELETE FROM claim_changes`
          }
          yield* sql`DELETE FROM claim_totals`
          yield* write(yield* sums)
        })
      )
    })
  }
}
