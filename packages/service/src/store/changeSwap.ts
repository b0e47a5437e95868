/** Changes a swap by compare-and-set. Writes its event, intent and reservation in the same database transaction. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { addressKey } from "../chains/addressKey.js"
import type { Dialect } from "./dialect.js"
import { take } from "./nonces.js"
import * as OperationNonces from "./operationNonces.js"
import * as Releases from "./reservationReleases.js"
import * as Rows from "./rows.js"
import { Conflict, type Intent, type Store } from "./Store.js"
import { unavailable } from "./storeUnavailable.js"
import { isTerminal, type State } from "./SwapRecord.js"

const slotRows = Rows.all(Rows.IntentSlot)
const countRows = Rows.all(Rows.Count)

/** Whether the output of a swap in the given state may still be delivered. */
const delivers = (state: State): boolean => !isTerminal(state) && state !== "refund_prepared" && state !== "refund_sent"

export const make = (sql: SqlClient, { transaction }: Dialect): Pick<Store, "change"> => {
  /**
   * Binds the intent to its nonce. If the intent already has another nonce, it gives up that nonce: either another
   * transaction has used the nonce, or the transaction with that nonce has reverted.
   */
  const takeSlot = Effect.fnUntraced(function* (swapId: string, { attempt, chainId, kind, signer }: Intent) {
    const address = addressKey(signer)
    const [held] = yield* slotRows(
      sql`SELECT chain_id, signer, nonce FROM tx_intents WHERE swap_id = ${swapId} AND kind = ${kind}`
    )
    if (held?.chain_id === chainId && held.signer === address && held.nonce === attempt.nonce) return
    if (attempt.nonce !== undefined && !(yield* take(sql, chainId, address, attempt.nonce))) {
      return yield* new Conflict({
        message: `Nonce ${attempt.nonce} is not the relayer's next nonce. Read the next nonce again.`,
        nonce: true
      })
    }
    yield* sql`INSERT INTO tx_intents (swap_id, kind, chain_id, signer, nonce)
      VALUES (${swapId}, ${kind}, ${chainId}, ${address}, ${attempt.nonce ?? null})
      ON CONFLICT (swap_id, kind) DO UPDATE
      SET chain_id = excluded.chain_id, signer = excluded.signer, nonce = excluded.nonce`
  })

  const store = Effect.fnUntraced(function* (swapId: string, intent: Intent) {
    const { attempt, kind } = intent
    yield* takeSlot(swapId, intent)
    const [stored] = yield* countRows(
      sql`SELECT COUNT(*) AS count FROM tx_attempts WHERE swap_id = ${swapId} AND kind = ${kind}`
    )
    const row = { swap_id: swapId, kind, number: stored?.count ?? 0, ...(yield* Rows.encodeAttempt(attempt)) }
    yield* sql`INSERT INTO tx_attempts ${sql.insert(row)} ON CONFLICT (swap_id, kind, hash) DO NOTHING`
  })

  return {
    change: Effect.fn("Store.change")(
      function* (change) {
        const { detail, intent, owner, swap, to } = change
        const releases = change.releases === true || !delivers(to)
        const now = yield* Clock.currentTimeMillis
        // A new collection transaction is not in a block yet.
        const originBlock = to === "origin_prepared" ? null : change.originBlock
        const [changed] = yield* Rows.swaps(
          sql`UPDATE swaps SET state = ${to}, version = version + 1, updated_at = ${now},
          origin_tx_hash = COALESCE(${change.originTxHash ?? null}, origin_tx_hash),
          delivery_tx_hash = COALESCE(${change.deliveryTxHash ?? null}, delivery_tx_hash),
          refund_tx_hash = COALESCE(${change.refundTxHash ?? null}, refund_tx_hash),
          failure_code = COALESCE(${change.failureCode ?? null}, failure_code)
          ${sql.literal(isTerminal(to) ? ", lease_owner = NULL, lease_until = NULL" : "")}
          WHERE id = ${swap.id} AND version = ${swap.version} AND lease_owner = ${owner}
          AND state NOT IN ('settled', 'failed', 'refunded')
          RETURNING ${sql.literal(Rows.columns)}`
        )
        if (changed === undefined) {
          return yield* new Conflict({
            message: `The swap is no longer at version ${swap.version}, or another worker has claimed it. Read it again.`
          })
        }
        yield* sql`INSERT INTO swap_events (swap_id, version, at, state, detail)
        VALUES (${swap.id}, ${changed.version}, ${now}, ${to}, ${detail})`
        if (releases) yield* sql`DELETE FROM reservations WHERE swap_id = ${swap.id}`
        const { refundAmount } = change
        if (refundAmount !== undefined) {
          yield* sql`INSERT INTO swap_details (swap_id, refund_amount) VALUES (${swap.id}, ${refundAmount.toString()})
          ON CONFLICT (swap_id) DO UPDATE SET refund_amount = excluded.refund_amount`
        }
        if (originBlock !== undefined) {
          yield* sql`INSERT INTO swap_details (swap_id, origin_block) VALUES (${swap.id}, ${originBlock?.toString() ?? null})
          ON CONFLICT (swap_id) DO UPDATE SET origin_block = excluded.origin_block`
        }
        const { revertedTxHash } = change
        if (revertedTxHash !== undefined) {
          yield* sql`INSERT INTO reverted_collects (swap_id, hash) VALUES (${swap.id}, ${revertedTxHash})
          ON CONFLICT (swap_id) DO UPDATE SET hash = excluded.hash`
        }
        const { paidAmount } = change
        if (paidAmount !== undefined) {
          yield* sql`INSERT INTO swap_payments (swap_id, amount) VALUES (${swap.id}, ${paidAmount.toString()})
          ON CONFLICT (swap_id) DO UPDATE SET amount = excluded.amount`
        }
        const nonce = to === "origin_final" ? OperationNonces.nonceOf(swap) : undefined
        if (nonce !== undefined) yield* OperationNonces.assign(sql, swap.id, nonce)
        if (intent !== undefined) yield* store(swap.id, intent)
        yield* Releases.record(sql, swap, to, change.block)
        // The row was returned before the other tables were written, so the row lacks the values from those tables.
        const { originBlock: before, ...rest } = changed
        const block = originBlock === undefined ? before : (originBlock ?? undefined)
        return {
          ...rest,
          ...(to === "origin_final" && { collectedAt: rest.collectedAt ?? now }),
          ...(block !== undefined && { originBlock: block }),
          ...(refundAmount !== undefined && { refundAmount }),
          ...(revertedTxHash !== undefined && { revertedTxHash }),
          ...(paidAmount !== undefined && { paidAmount }),
          ...(releases && { reserved: false })
        }
      },
      transaction,
      unavailable("change the swap")
    )
  }
}
