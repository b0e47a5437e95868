/**
 * Writes a change to a swap. On PostgreSQL, it is one statement, whose parts see the same snapshot. On SQLite, the parts run
 * one after the other in the caller's transaction. If the swap was not changed, the parts write nothing, except for the parts
 * of an intent, which the caller's transaction rolls back.
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Phase } from "../../domain/Claim.js"
import { isTerminal, type SwapRecord } from "../../domain/SwapRecord.js"
import type { ClaimTotals } from "../acceptance/claimTotals.js"
import { isBalance, isInVault, type Release } from "../acceptance/releases.js"
import { type Dialect, numbered, type Parameter, unnumbered, withParameters } from "../sql/dialect.js"
import type { AttemptRow } from "../sql/rows.js"
import * as SwapRows from "./swapRows.js"

/** A transaction of a swap, and the nonce that it uses. */
export interface IntentWrite {
  readonly kind: string
  readonly chainId: number
  /** The relayer's address key. */
  readonly signer: string
  readonly nonce: number | null
  readonly attempt: AttemptRow
}

interface SwapWrite {
  /** The changed swap. Its stored version must still be the one before. */
  readonly swap: SwapRecord
  /** The owner that the swap must still have. */
  readonly owner: string
  readonly detail: string
  /** The phases whose claims are released. */
  readonly ends: ReadonlyArray<Phase>
  /** The block with which the claims of the collection and of the refund are marked, or NULL to remove it. */
  readonly includedAt: string | null | undefined
  readonly intent: IntentWrite | undefined
  /** Whether losses that are not final are forgotten. */
  readonly forgetsLosses: boolean
  /** The money that has moved, if claims on it are released. */
  readonly release: Release | undefined
}

/**
 * The result of a write. Only `Changed` leaves anything written. `Stale`: the swap has another version or another owner, or it
 * has finished. `NonceTaken`: the intent's nonce is not the relayer's next nonce, so the transaction must be rolled back.
 */
type Written = "Changed" | "Stale" | "NonceTaken"

/** Writes a change completely or not at all. */
export type WriteSwap = (write: SwapWrite) => Effect.Effect<Written, SqlError>

/** A part of the write. `has` is the condition that an earlier part has returned a row. */
type Part = readonly [name: string, statementOf: (parameter: Parameter, has: (part: string) => string) => string]

/**
 * Binds the intent to its nonce, and stores the attempt. If the intent already has another nonce, it gives up that
 * nonce: either another transaction has used the nonce, or the transaction with that nonce has reverted.
 */
const intentParts = (id: string, { attempt, chainId, kind, nonce, signer }: IntentWrite): ReadonlyArray<Part> => {
  const names = Object.keys(attempt)
  return [
    [
      "held",
      (p) => `SELECT 1 FROM tx_intents WHERE swap_id = ${p(id)} AND kind = ${p(kind)} AND chain_id = ${p(chainId)}
        AND signer = ${p(signer)} AND nonce IS NOT DISTINCT FROM ${p(nonce)}`
    ],
    [
      "taken",
      (p, has) =>
        nonce === null
          ? `SELECT 1 WHERE (${has("held")}) = false`
          : `UPDATE relayers SET next_nonce = next_nonce + 1 WHERE chain_id = ${p(chainId)} AND address = ${p(signer)}
            AND next_nonce = ${p(nonce)} AND NOT ${has("held")} RETURNING 1`
    ],
    [
      "bound",
      (p, has) => `INSERT INTO tx_intents (swap_id, kind, chain_id, signer, nonce)
        SELECT ${[id, kind, chainId, signer, nonce].map(p).join(", ")} WHERE ${has("taken")}
        ON CONFLICT (swap_id, kind) DO UPDATE
        SET chain_id = excluded.chain_id, signer = excluded.signer, nonce = excluded.nonce`
    ],
    [
      "attempted",
      (p, has) => `INSERT INTO tx_attempts (swap_id, kind, number, ${names.join(", ")})
        SELECT ${p(id)}, ${p(kind)}, (SELECT COUNT(*) FROM tx_attempts WHERE swap_id = ${p(id)} AND kind = ${p(kind)}),
        ${Object.values(attempt).map(p).join(", ")} WHERE ${has("held")} OR ${has("taken")}
        ON CONFLICT (swap_id, kind, hash) DO NOTHING`
    ]
  ]
}

/** The parts in the order in which they may run. `claims` is the table, found by swap. */
const partsOf = (write: SwapWrite, claims: string): ReadonlyArray<Part> => {
  const { detail, ends, forgetsLosses, includedAt, intent, owner, release, swap } = write
  const { id, state, updatedAt, version } = swap
  const values = Object.entries(SwapRows.changedColumns(swap))
  const isOf = (p: Parameter, has: (part: string) => string, phases: ReadonlyArray<Phase>) =>
    `swap_id = ${p(id)} AND phase IN (${phases.map((phase) => `'${phase}'`).join(", ")}) AND ${has("changed")}`
  const parts: Array<Part> = [
    [
      "changed",
      (
        p
      ) => `UPDATE swaps SET version = ${p(version)}, ${values.map(([name, value]) => `${name} = ${p(value)}`).join(", ")}
        ${isTerminal(state) ? ", lease_owner = NULL, lease_until = NULL" : ""}
        WHERE id = ${p(id)} AND version = ${p(version - 1)} AND lease_owner = ${p(owner)}
        AND state NOT IN ('settled', 'failed', 'refunded') RETURNING 1`
    ],
    [
      "recorded",
      (p, has) => `INSERT INTO swap_events (swap_id, version, at, state, detail)
        SELECT ${[id, version, updatedAt, state, detail].map(p).join(", ")} WHERE ${has("changed")}`
    ]
  ]
  if (release !== undefined) {
    const { block, phase } = release
    // The rows are sorted, because swaps that use the same resources contend for them.
    parts.push([
      "released",
      (p, has) => `INSERT INTO releases (kind, name, block)
        SELECT kind, name, CAST(${p(block)} AS BIGINT) FROM (
          SELECT kind, name FROM ${claims} WHERE ${isOf(p, has, [phase])} AND ${isBalance}
          UNION SELECT 'vault', name FROM ${claims} WHERE ${isOf(p, has, [phase])} AND ${isInVault}
        ) AS resource WHERE true ORDER BY kind, name
        ON CONFLICT (kind, name) DO UPDATE SET block = excluded.block WHERE releases.block < excluded.block`
    ])
  }
  // A claim that is deleted must not be changed by the same statement.
  const marked = (["collection", "refund"] as const).filter((phase) => !ends.includes(phase))
  if (includedAt !== undefined && marked.length > 0) {
    parts.push([
      "included",
      (
        p,
        has
      ) => `UPDATE ${claims} SET until_block = CASE phase WHEN 'collection' THEN CAST(${p(includedAt)} AS BIGINT) END,
        from_block = CASE phase WHEN 'refund' THEN CAST(${p(includedAt)} AS BIGINT) END WHERE ${isOf(p, has, marked)}`
    ])
  }
  if (ends.length > 0) {
    parts.push(["ended", (p, has) => `DELETE FROM ${claims} WHERE ${isOf(p, has, ends)} RETURNING kind, name, amount`])
  }
  if (forgetsLosses) {
    parts.push([
      "forgotten",
      (p, has) => `DELETE FROM lost_collections WHERE swap_id = ${p(id)} AND is_final = 0 AND ${has("changed")}`
    ])
  }
  return intent === undefined ? parts : [...parts, ...intentParts(id, intent)]
}

const inOneStatement = (sql: SqlClient): WriteSwap =>
  Effect.fnUntraced(function* (write) {
    const has = (part: string) => `EXISTS (SELECT 1 FROM ${part})`
    const slot = write.intent === undefined ? "true" : `${has("held")} OR ${has("taken")}`
    const [row] = yield* sql.unsafe<{ readonly has_nonce: boolean }>(
      ...withParameters(numbered, (parameter) => {
        const parts = partsOf(write, "claims").map(
          ([name, statementOf]) => `${name} AS (${statementOf(parameter, has)})`
        )
        return `WITH ${parts.join(", ")} SELECT ${slot} AS has_nonce FROM changed`
      })
    )
    if (row === undefined) return "Stale"
    return row.has_nonce ? "Changed" : "NonceTaken"
  })

const onePartAfterAnother = (sql: SqlClient, totals: ClaimTotals): WriteSwap =>
  Effect.fnUntraced(function* (write) {
    const returned = new Map<string, ReadonlyArray<object>>()
    const isReturned = (part: string) => (returned.get(part) ?? []).length > 0
    // There are few claims at most times. Statistics from such a time must not make SQLite scan them at a busy one.
    for (const [name, statementOf] of partsOf(write, "claims INDEXED BY sqlite_autoindex_claims_1")) {
      const [text, parameters] = withParameters(unnumbered, (parameter) =>
        statementOf(parameter, (part) => (isReturned(part) ? "true" : "false"))
      )
      returned.set(name, yield* sql.unsafe(text, parameters))
      if (!isReturned("changed")) return "Stale"
    }
    yield* totals.add((returned.get("ended") ?? []) as Parameters<ClaimTotals["add"]>[0], -1n)
    return write.intent === undefined || isReturned("held") || isReturned("taken") ? "Changed" : "NonceTaken"
  })

export const make = (sql: SqlClient, { engine }: Dialect, totals: ClaimTotals): WriteSwap =>
  engine === "postgres" ? inOneStatement(sql) : onePartAfterAnother(sql, totals)
