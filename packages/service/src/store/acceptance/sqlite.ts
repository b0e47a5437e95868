/** Acceptances on SQLite: one statement per swap to read, and one statement per table and swap to write. */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { amountOfParts, storedParts, sumOfParts } from "../reservationTotals/amountParts.js"
import * as Rows from "../rows.js"
import type { AcceptanceStore, NewSwap } from "./AcceptanceStore.js"
import type { Facts } from "./decide.js"

interface FactRow {
  readonly existing: string | null
  readonly nonce_used: unknown
  readonly in_flight: string | null
  readonly reserved: string | null
  readonly balance_since: number | bigint | null
  readonly inventory_since: number | bigint | null
}

// SQLite runs in the process and allows one writer at a time, so the transaction is already exclusive.
const readFacts = `SELECT
    (SELECT id FROM swaps WHERE order_id = ?1) AS existing,
    EXISTS (
      SELECT 1 FROM swaps
      WHERE origin_chain = ?2 AND wallet_key = ?3 AND state IN ('accepted', 'origin_prepared', 'origin_sent')
      AND CASE
        WHEN operation LIKE '%"nonce":"' || ?5 || '"%'
        THEN operation ->> '$._tag' = 'evm' AND operation ->> '$.nonce' = ?5
        ELSE 0
      END
    ) OR EXISTS (
      SELECT 1 FROM operation_nonces JOIN swaps ON swaps.id = operation_nonces.swap_id
      WHERE chain_id = ?2 AND operation_nonces.wallet = ?3 AND nonce = ?5 AND state <> 'failed'
    ) AS nonce_used,
    (
      SELECT ${sumOfParts("amount")} FROM swaps
      WHERE origin_chain = ?2 AND wallet_key = ?3 AND input_token_key = ?4
      AND state IN ('accepted', 'origin_prepared', 'origin_sent')
      AND NOT EXISTS (SELECT 1 FROM swap_details WHERE swap_id = swaps.id AND origin_block <= ?6)
    ) AS in_flight,
    (SELECT ${storedParts} FROM reservation_totals WHERE chain_id = ?7 AND token = ?8) AS reserved,
    (SELECT block FROM releases WHERE chain_id = ?2 AND token = ?4 AND holder = ?3) AS balance_since,
    (SELECT block FROM releases WHERE chain_id = ?7 AND token = ?8 AND holder = '') AS inventory_since`

const existingSwap = `SELECT ${Rows.columns} FROM swaps WHERE id = ?1`

const swapColumns: ReadonlyArray<keyof NewSwap> = [
  "id",
  "account_id",
  "order_id",
  "operation_hash",
  "origin_chain",
  "destination_chain",
  "input_token",
  "input_token_key",
  "output_token",
  "wallet",
  "wallet_key",
  "recipient",
  "amount",
  "output",
  "min_output",
  "terms",
  "fee_bps",
  "network_cost",
  "opens_account",
  "operation",
  "trace",
  "created_at",
  "state",
  "version",
  "updated_at"
]

const insertSwap = `INSERT INTO swaps (${swapColumns.join(", ")}) VALUES (${swapColumns.map(() => "?").join(", ")})`
const insertDetail = "INSERT INTO swap_details (swap_id, quoted_at) VALUES (?, ?)"
const assignNonce = `INSERT INTO operation_nonces (chain_id, wallet, nonce, swap_id) VALUES (?, ?, ?, ?)
  ON CONFLICT (chain_id, wallet, nonce) DO UPDATE SET swap_id = excluded.swap_id`
const insertReservation = "INSERT INTO reservations (swap_id, chain_id, token, amount) VALUES (?, ?, ?, ?)"
const insertEvent = "INSERT INTO swap_events (swap_id, version, at, state, detail) VALUES (?, ?, ?, ?, 'accepted')"

export const make = (sql: SqlClient): AcceptanceStore => ({
  read: (calls) =>
    Effect.forEach(
      calls,
      Effect.fnUntraced(function* ({ keys: { input, nonce, output, wallet }, limits, swap }) {
        const [found] = yield* sql.unsafe<FactRow>(readFacts, [
          swap.orderId,
          swap.originChain,
          wallet,
          input,
          nonce?.nonce ?? null,
          limits.balance.block.toString(),
          swap.destinationChain,
          output
        ])
        const id = found?.existing ?? undefined
        const [existing] = id === undefined ? [] : yield* sql.unsafe<Rows.SwapRow>(existingSwap, [id])
        return {
          existing,
          nonceUsed: Number(found?.nonce_used) === 1,
          inFlight: amountOfParts(found?.in_flight),
          reserved: amountOfParts(found?.reserved),
          balanceSince: BigInt(found?.balance_since ?? 0),
          inventorySince: BigInt(found?.inventory_since ?? 0)
        } satisfies Facts
      })
    ),
  write: (swaps) =>
    Effect.forEach(
      swaps,
      Effect.fnUntraced(function* (swap) {
        const { destination_chain, id, nonce, origin_chain, output, output_token_key, state, updated_at } = swap
        yield* sql.unsafe(
          insertSwap,
          swapColumns.map((column) => swap[column])
        )
        yield* sql.unsafe(insertDetail, [id, swap.quoted_at])
        if (nonce !== null) yield* sql.unsafe(assignNonce, [origin_chain, swap.wallet_key, nonce, id])
        yield* sql.unsafe(insertReservation, [id, destination_chain, output_token_key, output])
        yield* sql.unsafe(insertEvent, [id, swap.version, updated_at, state])
      }),
      { discard: true }
    )
})
