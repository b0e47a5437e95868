/** Stores transactions that several swaps share. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SwapRecord } from "../../domain/SwapRecord.js"
import type { Dialect } from "../sql/dialect.js"
import * as Rows from "../sql/rows.js"
import { unavailable } from "../sql/storeUnavailable.js"
import { intentWrite, writeChange } from "../swaps/changeSwap.js"
import * as SwapRows from "../swaps/swapRows.js"
import type { IntentWrite, WriteSwap } from "../swaps/writeSwap.js"
import type { Batches, BatchItem, Replacement } from "./BatchStore.js"

/** All transactions lock swaps in the same order, so that they cannot deadlock. */
const byId = (one: BatchItem, other: BatchItem): number => (one.swap.id < other.swap.id ? -1 : 1)

export const make = (sql: SqlClient, { lockRows, transaction }: Dialect, writeSwap: WriteSwap): Batches => {
  const isBatch = ({ chainId, nonce, signer }: IntentWrite) =>
    sql`chain_id = ${chainId} AND signer = ${signer} AND nonce = ${nonce}`

  /**
   * Stores the attempt for each swap in the batch whose newest attempt is the replaced one. The rows of the intents are
   * locked first, because a worker that signs a swap again changes them.
   */
  const storeForAll = Effect.fnUntraced(function* (intent: IntentWrite, replaced: string) {
    const { attempt, kind } = intent
    const sharing = sql`(SELECT swap_id FROM batch_items WHERE ${isBatch(intent)})`
    const members = yield* Rows.ids.read(
      sql`SELECT swap_id AS id FROM tx_intents WHERE kind = ${kind} AND swap_id IN ${sharing} ORDER BY swap_id ${lockRows}`
    )
    for (const { id } of members) {
      const [newest] = yield* sql<{ readonly hash: string; readonly number: unknown }>`SELECT hash, number
        FROM tx_attempts WHERE swap_id = ${id} AND kind = ${kind} ORDER BY number DESC LIMIT 1`
      if (newest?.hash !== replaced) continue
      const row = { swap_id: id, kind, number: Number(newest.number) + 1, ...attempt }
      yield* sql`INSERT INTO tx_attempts ${sql.insert(row)} ON CONFLICT (swap_id, kind, hash) DO NOTHING`
    }
  })

  return {
    write: Effect.fn("Store.writeBatch")(function* (items, given) {
      const now = yield* Clock.currentTimeMillis
      const intent = intentWrite(given)
      const sorted = items.toSorted(byId)
      const writeAll = Effect.gen(function* () {
        const written = new Map<string, SwapRecord>()
        for (const [position, item] of sorted.entries()) {
          const { swap } = item
          // The nonce is unique among intents. The first swap takes it, and the others refer to it as part of the batch.
          const own = position === 0 ? intent : { ...intent, nonce: null }
          written.set(swap.id, yield* writeChange(writeSwap, item, now, own))
          if (intent.nonce === null) continue
          yield* sql`INSERT INTO batch_items (swap_id, kind, chain_id, signer, nonce)
            VALUES (${swap.id}, ${intent.kind}, ${intent.chainId}, ${intent.signer}, ${intent.nonce})`
        }
        // A transaction without a nonce is never replaced.
        if (intent.nonce !== null) {
          yield* sql`INSERT INTO batches (chain_id, signer, nonce, newest_hash)
            VALUES (${intent.chainId}, ${intent.signer}, ${intent.nonce}, ${given.attempt.hash})`
        }
        return items.flatMap(({ swap }) => written.get(swap.id) ?? [])
      })
      return yield* transaction(writeAll)
    }, unavailable("store the batch")),

    replace: Effect.fn("Store.replaceBatch")(function* (item, given, replaced) {
      const now = yield* Clock.currentTimeMillis
      const intent = intentWrite(given)
      const replaceAll = Effect.gen(function* () {
        const first = yield* sql`UPDATE batches SET newest_hash = ${given.attempt.hash}
          WHERE ${isBatch(intent)} AND newest_hash = ${replaced} RETURNING nonce`
        if (first.length === 0) return { _tag: "AlreadyReplaced" } satisfies Replacement
        const swap = yield* writeChange(writeSwap, item, now, undefined)
        yield* storeForAll(intent, replaced)
        return { _tag: "Replaced", swap } satisfies Replacement
      })
      return yield* transaction(replaceAll)
    }, unavailable("replace the batch")),

    members: Effect.fn("Store.batchMembers")(
      (id, kind) =>
        SwapRows.swaps(
          sql`SELECT ${sql.literal(SwapRows.columns)} FROM swaps WHERE id IN (
            SELECT other.swap_id FROM batch_items own JOIN batch_items other
            ON other.chain_id = own.chain_id AND other.signer = own.signer AND other.nonce = own.nonce
            WHERE own.swap_id = ${id} AND own.kind = ${kind}) ORDER BY id`
        ),
      unavailable("read the batch")
    )
  }
}
