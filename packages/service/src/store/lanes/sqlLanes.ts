/** Counts each relayer's unfinished transactions and what they may cost, and stores which relayers are retired. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { addressKey } from "../../domain/addressKey.js"
import type { Dialect } from "../sql/dialect.js"
import * as Rows from "../sql/rows.js"
import { unavailable } from "../sql/storeUnavailable.js"
import type { Lane, RelayerLanes, Retirement } from "./LaneStore.js"

const { optional, text, whole } = Rows

const lanes = Rows.table<Lane>({
  chainId: whole,
  relayer: text,
  pending: whole,
  oldestAt: optional(whole),
  unfinished: whole,
  pendingCost: Rows.sum,
  nextNonce: optional(whole),
  retiredAt: optional(whole)
})
const next = Rows.table({ nonce: whole, cost: Rows.sum })
const relayers = Rows.table({ address: text })

export const make = (sql: SqlClient, { lock, transaction, ...dialect }: Dialect): RelayerLanes => {
  const most = (column: string) => sql.literal(dialect.most(column))
  const sum = (column: string) => sql.literal(dialect.sum(column))

  /**
   * The attempts of swaps at their current transactions. A swap's current transaction is the one whose kind belongs to
   * the swap's state. It is in a block once its hash is stored with the swap. In a batch, only the first swap's intent
   * has the nonce. On Solana, there is no nonce, and the newest attempt is the only one that can still be included.
   *
   * SQLite joins in the order of a CROSS JOIN: it starts with the swaps that have not finished.
   */
  const ofSwaps = sql`SELECT i.chain_id, i.signer, COALESCE(CAST(a.nonce AS TEXT), a.hash) AS slot, s.id AS owner,
      CASE WHEN (i.kind = 'collect' AND s.origin_tx_hash IS NULL)
        OR (i.kind = 'deliver' AND s.delivery_tx_hash IS NULL)
        OR (i.kind = 'refund' AND s.refund_tx_hash IS NULL) THEN 1 ELSE 0 END AS pending, a.created_at, a.max_cost
    FROM swaps s CROSS JOIN tx_intents i
    LEFT JOIN batch_items b ON b.swap_id = i.swap_id AND b.kind = i.kind
    CROSS JOIN tx_attempts a
    WHERE s.state NOT IN ('settled', 'failed', 'refunded')
    AND ((s.state IN ('origin_prepared', 'origin_sent') AND i.kind = 'collect')
      OR (s.state IN ('delivery_prepared', 'delivery_sent') AND i.kind = 'deliver')
      OR (s.state IN ('refund_prepared', 'refund_sent') AND i.kind = 'refund'))
    AND i.swap_id = s.id AND a.swap_id = i.swap_id AND a.kind = i.kind
    AND (a.nonce = COALESCE(i.nonce, b.nonce) OR (COALESCE(i.nonce, b.nonce) IS NULL AND a.number = (
      SELECT MAX(number) FROM tx_attempts WHERE swap_id = i.swap_id AND kind = i.kind)))`

  /** The attempts of delegation changes at their current transactions. Whether these are in a block is not stored. */
  const ofChanges = sql`SELECT d.chain_id, a.signer, CAST(a.nonce AS TEXT) AS slot, d.id AS owner, 0 AS pending,
      a.created_at, a.max_cost
    FROM delegation_changes d CROSS JOIN delegation_attempts a
    WHERE d.state IN ('accepted', 'sent') AND d.state = 'sent' AND a.change_id = d.id
    AND a.nonce = (SELECT MAX(nonce) FROM delegation_attempts WHERE change_id = d.id)`

  /** One statement, so that a transaction that takes a nonce is either counted or has a nonce that is not below the next. */
  const all = lanes.read(
    sql`SELECT chain_id, signer AS relayer, COUNT(CASE WHEN pending = 1 THEN 1 END) AS pending,
        MIN(CASE WHEN pending = 1 THEN first_at END) AS oldest_at, SUM(unfinished) AS unfinished,
        ${sum("cost")} AS pending_cost, MAX(next_nonce) AS next_nonce, MAX(retired_at) AS retired_at
      FROM (
        SELECT chain_id, signer, MAX(pending) AS pending, MIN(created_at) AS first_at,
          COUNT(DISTINCT owner) AS unfinished, ${most("max_cost")} AS cost, NULL AS next_nonce, NULL AS retired_at
        FROM (${ofSwaps} UNION ALL ${ofChanges}) AS attempts GROUP BY chain_id, signer, slot
        UNION ALL
        SELECT chain_id, address, 0, NULL, 0, NULL, next_nonce, retired_at FROM relayers
      ) AS slots GROUP BY chain_id, signer`
  )

  return {
    all: unavailable("count the relayers' transactions")(all),

    next: Effect.fn("Store.nextInLane")(function* (chainId, relayer, since) {
      const signer = addressKey(relayer)
      const [row] = yield* next.read(
        sql`SELECT next_nonce AS nonce, (
            SELECT ${sum("cost")} FROM (
              SELECT ${most("max_cost")} AS cost FROM (
                SELECT i.nonce, a.max_cost FROM tx_intents i
                JOIN tx_attempts a ON a.swap_id = i.swap_id AND a.kind = i.kind AND a.nonce = i.nonce
                WHERE i.chain_id = ${chainId} AND i.signer = ${signer} AND i.nonce >= ${since}
                UNION ALL
                SELECT a.nonce, a.max_cost FROM delegation_attempts a JOIN delegation_changes d ON d.id = a.change_id
                WHERE d.chain_id = ${chainId} AND a.signer = ${signer} AND a.nonce >= ${since}
              ) AS attempts GROUP BY nonce
            ) AS slots
          ) AS cost FROM relayers WHERE chain_id = ${chainId} AND address = ${signer}`
      )
      if (row !== undefined) return row
      // Creates the row if needed, because `change` can take a nonce only from an existing row.
      yield* sql`INSERT INTO relayers (chain_id, address, next_nonce) VALUES (${chainId}, ${signer}, 0)
        ON CONFLICT (chain_id, address) DO NOTHING`
      return { nonce: 0, cost: 0n }
    }, unavailable("read the relayer's nonce")),

    retire: Effect.fn("Store.retireRelayer")(
      function* (chainId, relayer, configured) {
        // Two commands that retire different relayers at the same time must not retire all of them.
        yield* lock([`relayers ${chainId}`])
        const address = addressKey(relayer)
        const retired = yield* relayers.read(
          sql`SELECT address FROM relayers WHERE chain_id = ${chainId} AND retired_at IS NOT NULL`
        )
        const before = new Set(retired.map((row) => row.address))
        if (before.has(address)) return { _tag: "AlreadyRetired" } satisfies Retirement
        const isLeft = (one: string) => one !== address && !before.has(one)
        if (!configured.map(addressKey).some(isLeft)) return { _tag: "LastRelayer" } satisfies Retirement
        const now = yield* Clock.currentTimeMillis
        yield* sql`INSERT INTO relayers (chain_id, address, next_nonce, retired_at) VALUES (${chainId}, ${address}, 0, ${now})
          ON CONFLICT (chain_id, address) DO UPDATE SET retired_at = excluded.retired_at`
        return { _tag: "Retired" } satisfies Retirement
      },
      transaction,
      unavailable("retire the relayer")
    ),

    restore: Effect.fn("Store.restoreRelayer")(
      (chainId, relayer) =>
        Effect.map(
          sql`UPDATE relayers SET retired_at = NULL WHERE chain_id = ${chainId} AND address = ${addressKey(relayer)}
            AND retired_at IS NOT NULL RETURNING address`,
          (rows) => rows.length > 0
        ),
      unavailable("restore the relayer")
    )
  }
}
