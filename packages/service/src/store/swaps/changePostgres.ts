/**
 * Writes a change on PostgreSQL in one statement. Its parts see the same snapshot and read the changed swap from the
 * first part. If no swap was changed, the parts write nothing, except for the parts of an intent, which the caller's
 * transaction rolls back.
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isTerminal } from "../../domain/SwapRecord.js"
import { isBalance, isInVault } from "../acceptance/releases.js"
import * as SwapRows from "./swapRows.js"
import type { IntentWrite, SwapWrite, Written, WriteSwap } from "./SwapWrite.js"

/** Adds a parameter to the statement, and returns its placeholder with the given type. */
type Parameter = (value: unknown, type?: string) => string

/** A part of the statement with its name. */
type Part = readonly [name: string, statement: string]

/** The columns of an attempt that are not text. */
const integers: ReadonlySet<string> = new Set(["nonce", "cancels", "created_at"])

/**
 * Binds the intent to its nonce, and stores the attempt. If the intent already has another nonce, it gives up that
 * nonce: either another transaction has used the nonce, or the transaction with that nonce has reverted.
 */
const intentParts = (id: string, intent: IntentWrite, parameter: Parameter): ReadonlyArray<Part> => {
  const { attempt, kind: ofKind, nonce: next } = intent
  const [kind, chain, signer, nonce] = [
    parameter(ofKind, "text"),
    parameter(intent.chainId, "bigint"),
    parameter(intent.signer, "text"),
    parameter(next, "bigint")
  ]
  const names = Object.keys(attempt)
  const values = Object.entries(attempt).map(([name, value]) =>
    parameter(value, integers.has(name) ? "bigint" : "text")
  )
  const isHeld = "EXISTS (SELECT 1 FROM held)"
  return [
    [
      "held",
      `SELECT 1 FROM tx_intents WHERE swap_id = ${id} AND kind = ${kind} AND chain_id = ${chain} AND signer = ${signer}
        AND nonce IS NOT DISTINCT FROM ${nonce}`
    ],
    [
      "taken",
      next === null
        ? `SELECT 1 FROM (SELECT ${isHeld} AS is_held) AS slot WHERE is_held = false`
        : `UPDATE relayers SET next_nonce = next_nonce + 1
          WHERE chain_id = ${chain} AND address = ${signer} AND next_nonce = ${nonce} AND NOT ${isHeld} RETURNING 1`
    ],
    [
      "bound",
      `INSERT INTO tx_intents (swap_id, kind, chain_id, signer, nonce)
        SELECT ${id}, ${kind}, ${chain}, ${signer}, ${nonce} FROM taken
        ON CONFLICT (swap_id, kind) DO UPDATE
        SET chain_id = excluded.chain_id, signer = excluded.signer, nonce = excluded.nonce`
    ],
    [
      "attempted",
      `INSERT INTO tx_attempts (swap_id, kind, number, ${names.join(", ")})
        SELECT ${id}, ${kind}, (SELECT COUNT(*) FROM tx_attempts WHERE swap_id = ${id} AND kind = ${kind}),
        ${values.join(", ")} WHERE ${isHeld} OR EXISTS (SELECT 1 FROM taken)
        ON CONFLICT (swap_id, kind, hash) DO NOTHING`
    ]
  ]
}

/** The parts that depend on the change. */
const optionalParts = (write: SwapWrite, id: string, parameter: Parameter): ReadonlyArray<Part> => {
  const { ends, forgetsLosses, includedAt, intent, nonce, originBlock, paidAmount } = write
  const { refundAmount, release, revertedTxHash } = write
  const parts: Array<Part> = []
  if (ends.length > 0) {
    parts.push([
      "ended",
      `DELETE FROM claims WHERE swap_id IN (SELECT id FROM changed) AND phase = ANY(${parameter(ends, "text[]")})
        RETURNING phase, kind, name`
    ])
  }
  // A claim that is deleted must not be changed by the same statement.
  const marked = (["collection", "refund"] as const).filter((phase) => !ends.includes(phase))
  if (includedAt !== undefined && marked.length > 0) {
    const block = parameter(includedAt, "bigint")
    parts.push([
      "included",
      `UPDATE claims SET until_block = CASE phase WHEN 'collection' THEN ${block} END,
        from_block = CASE phase WHEN 'refund' THEN ${block} END
        WHERE swap_id IN (SELECT id FROM changed) AND phase = ANY(${parameter(marked, "text[]")})`
    ])
  }
  if (refundAmount !== undefined || originBlock !== undefined) {
    // Both values are in the same row, which one statement can write only once.
    const values: Record<string, string> = {
      ...(refundAmount !== undefined && { refund_amount: parameter(refundAmount, "text") }),
      ...(originBlock !== undefined && { origin_block: parameter(originBlock, "bigint") })
    }
    const names = Object.keys(values)
    parts.push([
      "detailed",
      `INSERT INTO swap_details (swap_id, ${names.join(", ")}) SELECT id, ${Object.values(values).join(", ")} FROM changed
        ON CONFLICT (swap_id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(", ")}`
    ])
  }
  if (revertedTxHash !== undefined) {
    parts.push([
      "reverted",
      `INSERT INTO reverted_collects (swap_id, hash) SELECT id, ${parameter(revertedTxHash, "text")} FROM changed
        ON CONFLICT (swap_id) DO UPDATE SET hash = excluded.hash`
    ])
  }
  if (paidAmount !== undefined) {
    parts.push([
      "paid",
      `INSERT INTO swap_payments (swap_id, amount) SELECT id, ${parameter(paidAmount, "text")} FROM changed
        ON CONFLICT (swap_id) DO UPDATE SET amount = excluded.amount`
    ])
  }
  if (forgetsLosses) {
    parts.push(["forgotten", "DELETE FROM lost_collections WHERE swap_id IN (SELECT id FROM changed) AND final = 0"])
  }
  if (nonce !== undefined) {
    const values = [parameter(nonce.chainId, "bigint"), parameter(nonce.wallet, "text"), parameter(nonce.nonce, "text")]
    parts.push([
      "assigned",
      `INSERT INTO operation_nonces (chain_id, wallet, nonce, swap_id) SELECT ${values.join(", ")}, id FROM changed
        ON CONFLICT (chain_id, wallet, nonce) DO UPDATE SET swap_id = excluded.swap_id`
    ])
  }
  if (intent !== undefined) parts.push(...intentParts(id, intent, parameter))
  if (release !== undefined) {
    const [phase, block] = [parameter(release.phase, "text"), parameter(release.block, "bigint")]
    // The rows are sorted, because swaps that use the same resources contend for them.
    parts.push([
      "released",
      `INSERT INTO releases (kind, name, block) SELECT kind, name, ${block} FROM (
          SELECT kind, name FROM ended WHERE phase = ${phase} AND ${isBalance}
          UNION SELECT 'vault', name FROM ended WHERE phase = ${phase} AND ${isInVault}
        ) AS resource ORDER BY kind, name
        ON CONFLICT (kind, name) DO UPDATE SET block = excluded.block
        WHERE releases.block < excluded.block`
    ])
  }
  return parts
}

const statementOf = (write: SwapWrite): readonly [text: string, parameters: ReadonlyArray<unknown>] => {
  const parameters: Array<unknown> = []
  const parameter: Parameter = (value, type) => {
    parameters.push(value)
    return `$${parameters.length}${type === undefined ? "" : `::${type}`}`
  }
  const [id, now, state] = [parameter(write.id, "text"), parameter(write.now, "bigint"), parameter(write.to, "text")]
  const parts: ReadonlyArray<Part> = [
    [
      "changed",
      `UPDATE swaps SET state = ${state}, version = version + 1, updated_at = ${now},
        origin_tx_hash = COALESCE(${parameter(write.originTxHash, "text")}, origin_tx_hash),
        delivery_tx_hash = COALESCE(${parameter(write.deliveryTxHash, "text")}, delivery_tx_hash),
        refund_tx_hash = COALESCE(${parameter(write.refundTxHash, "text")}, refund_tx_hash),
        failure_code = COALESCE(${parameter(write.failureCode, "text")}, failure_code)
        ${isTerminal(write.to) ? ", lease_owner = NULL, lease_until = NULL" : ""}
        WHERE id = ${id} AND version = ${parameter(write.version)} AND lease_owner = ${parameter(write.owner)}
        AND state NOT IN ('settled', 'failed', 'refunded')
        RETURNING ${SwapRows.columns}`
    ],
    [
      "recorded",
      `INSERT INTO swap_events (swap_id, version, at, state, detail)
        SELECT id, version, ${now}, ${state}, ${parameter(write.detail, "text")} FROM changed`
    ],
    ...optionalParts(write, id, parameter)
  ]
  const slots = "EXISTS (SELECT 1 FROM held) OR EXISTS (SELECT 1 FROM taken)"
  return [
    `WITH ${parts.map(([name, statement]) => `${name} AS (${statement})`).join(", ")}
      SELECT changed.*, ${write.intent === undefined ? "true" : slots} AS has_nonce FROM changed`,
    parameters
  ]
}

export const make = (sql: SqlClient): WriteSwap =>
  Effect.fnUntraced(function* (write) {
    const [row] = yield* sql.unsafe<SwapRows.SwapRow>(...statementOf(write))
    if (row === undefined) return { _tag: "Stale" } satisfies Written
    if (row["has_nonce"] !== true) return { _tag: "NonceTaken" } satisfies Written
    return { _tag: "Changed", swap: yield* SwapRows.decodeSwap(row) } satisfies Written
  })
