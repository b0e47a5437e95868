/** Writes a change on SQLite, one statement after the other in the caller's transaction. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import { kinds } from "../../domain/Claim.js"
import { isTerminal } from "../../domain/SwapRecord.js"
import * as OperationNonces from "../acceptance/operationNonces.js"
import { isBalance, isInVault } from "../acceptance/releases.js"
import { changeTotals } from "../acceptance/sqliteTotals.js"
import { take } from "../lanes/relayerNonces.js"
import * as Rows from "../sql/rows.js"
import * as SwapRows from "./swapRows.js"
import type { IntentWrite, Written, WriteSwap } from "./SwapWrite.js"

/** The slot for an intent's transaction: a signer's nonce on a chain. */
const slotRows = Rows.all(Schema.Struct({ chain_id: Rows.Whole, signer: Schema.String, nonce: Rows.maybe(Rows.Whole) }))
const countRows = Rows.all(Rows.Count)

const claimRows = Rows.all(Schema.Struct({ kind: Schema.Literals(kinds), name: Schema.String, amount: Schema.String }))

export const make = (sql: SqlClient): WriteSwap => {
  // There are few claims at most times. Statistics from such a time must not make SQLite scan them at a busy one.
  const ofSwap = sql.literal("claims INDEXED BY sqlite_autoindex_claims_1")

  /**
   * Binds the intent to its nonce. If the intent already has another nonce, it gives up that nonce: either another
   * transaction has used the nonce, or the transaction with that nonce has reverted.
   */
  const takeSlot = Effect.fnUntraced(function* (swapId: string, { chainId, kind, nonce, signer }: IntentWrite) {
    const [held] = yield* slotRows(
      sql`SELECT chain_id, signer, nonce FROM tx_intents WHERE swap_id = ${swapId} AND kind = ${kind}`
    )
    if (held?.chain_id === chainId && held.signer === signer && (held.nonce ?? null) === nonce) return true
    if (nonce !== null && !(yield* take(sql, chainId, signer, nonce))) return false
    yield* sql`INSERT INTO tx_intents (swap_id, kind, chain_id, signer, nonce)
      VALUES (${swapId}, ${kind}, ${chainId}, ${signer}, ${nonce})
      ON CONFLICT (swap_id, kind) DO UPDATE
      SET chain_id = excluded.chain_id, signer = excluded.signer, nonce = excluded.nonce`
    return true
  })

  const store = Effect.fnUntraced(function* (swapId: string, intent: IntentWrite) {
    const { attempt, kind } = intent
    if (!(yield* takeSlot(swapId, intent))) return false
    const [stored] = yield* countRows(
      sql`SELECT COUNT(*) AS count FROM tx_attempts WHERE swap_id = ${swapId} AND kind = ${kind}`
    )
    const row = { swap_id: swapId, kind, number: stored?.count ?? 0, ...attempt }
    yield* sql`INSERT INTO tx_attempts ${sql.insert(row)} ON CONFLICT (swap_id, kind, hash) DO NOTHING`
    return true
  })

  return Effect.fnUntraced(function* (write) {
    const { ends, forgetsLosses, id, includedAt, intent, nonce, now, originBlock, paidAmount, refundAmount, release } =
      write
    const { revertedTxHash, to } = write
    const [swap] = yield* SwapRows.swaps(
      sql`UPDATE swaps SET state = ${to}, version = version + 1, updated_at = ${now},
        origin_tx_hash = COALESCE(${write.originTxHash}, origin_tx_hash),
        delivery_tx_hash = COALESCE(${write.deliveryTxHash}, delivery_tx_hash),
        refund_tx_hash = COALESCE(${write.refundTxHash}, refund_tx_hash),
        failure_code = COALESCE(${write.failureCode}, failure_code)
        ${sql.literal(isTerminal(to) ? ", lease_owner = NULL, lease_until = NULL" : "")}
        WHERE id = ${id} AND version = ${write.version} AND lease_owner = ${write.owner}
        AND state NOT IN ('settled', 'failed', 'refunded')
        RETURNING ${sql.literal(SwapRows.columns)}`
    )
    if (swap === undefined) return { _tag: "Stale" } satisfies Written
    yield* sql`INSERT INTO swap_events (swap_id, version, at, state, detail)
      VALUES (${id}, ${swap.version}, ${now}, ${to}, ${write.detail})`
    if (release !== undefined) {
      const { block, phase } = release
      const released = sql`swap_id = ${id} AND phase = ${phase}`
      yield* sql`INSERT INTO releases (kind, name, block)
        SELECT kind, name, ${block} FROM ${ofSwap} WHERE ${released} AND ${sql.literal(isBalance)}
        UNION SELECT 'vault', name, ${block} FROM ${ofSwap} WHERE ${released} AND ${sql.literal(isInVault)}
        ON CONFLICT (kind, name) DO UPDATE SET block = excluded.block WHERE releases.block < excluded.block`
    }
    if (includedAt !== undefined) {
      yield* sql`UPDATE ${ofSwap} SET until_block = CASE phase WHEN 'collection' THEN ${includedAt} END,
        from_block = CASE phase WHEN 'refund' THEN ${includedAt} END
        WHERE swap_id = ${id} AND phase IN ('collection', 'refund')`
    }
    if (ends.length > 0) {
      const ended = yield* claimRows(
        sql`DELETE FROM ${ofSwap} WHERE swap_id = ${id} AND ${sql.in("phase", ends)} RETURNING kind, name, amount`
      )
      yield* changeTotals(sql, ended, -1n)
    }
    if (refundAmount !== undefined) {
      yield* sql`INSERT INTO swap_details (swap_id, refund_amount) VALUES (${id}, ${refundAmount})
        ON CONFLICT (swap_id) DO UPDATE SET refund_amount = excluded.refund_amount`
    }
    if (originBlock !== undefined) {
      yield* sql`INSERT INTO swap_details (swap_id, origin_block) VALUES (${id}, ${originBlock})
        ON CONFLICT (swap_id) DO UPDATE SET origin_block = excluded.origin_block`
    }
    if (revertedTxHash !== undefined) {
      yield* sql`INSERT INTO reverted_collects (swap_id, hash) VALUES (${id}, ${revertedTxHash})
        ON CONFLICT (swap_id) DO UPDATE SET hash = excluded.hash`
    }
    if (paidAmount !== undefined) {
      yield* sql`INSERT INTO swap_payments (swap_id, amount) VALUES (${id}, ${paidAmount})
        ON CONFLICT (swap_id) DO UPDATE SET amount = excluded.amount`
    }
    if (forgetsLosses) yield* sql`DELETE FROM lost_collections WHERE swap_id = ${id} AND final = 0`
    if (nonce !== undefined) yield* OperationNonces.assign(sql, id, nonce)
    if (intent !== undefined && !(yield* store(id, intent))) return { _tag: "NonceTaken" } satisfies Written
    return { _tag: "Changed", swap } satisfies Written
  })
}
