/** Counts each relayer's unfinished transactions, and stores which relayers are retired. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import { addressKey } from "../chains/addressKey.js"
import type { Dialect } from "./dialect.js"
import type { Lane, RelayerLanes, Retirement } from "./RelayerLane.js"
import * as Rows from "./rows.js"
import { unavailable } from "./storeUnavailable.js"

const useRows = Rows.all(
  Schema.Struct({
    chain_id: Rows.Whole,
    signer: Schema.String,
    pending: Rows.Whole,
    oldest_at: Schema.NullOr(Rows.Whole),
    unfinished: Rows.Whole
  })
)
const retiredRows = Rows.all(Schema.Struct({ chain_id: Rows.Whole, relayer: Schema.String, retired_at: Rows.Whole }))

export const make = (sql: SqlClient, { lock, transaction }: Dialect): RelayerLanes => {
  /**
   * A swap's current transaction is the one whose kind belongs to the swap's state. It is in a block once its hash is
   * stored with the swap. In a batch, only the first swap's intent has the nonce.
   */
  const uses = useRows(
    sql`SELECT chain_id, signer, COUNT(DISTINCT CASE WHEN pending = 1 THEN nonce END) AS pending,
        MIN(CASE WHEN pending = 1 THEN first_at END) AS oldest_at, COUNT(*) AS unfinished
      FROM (
        SELECT chain_id, signer, nonce, pending,
          (SELECT MIN(a.created_at) FROM tx_attempts a
            WHERE a.swap_id = current.swap_id AND a.kind = current.kind AND a.nonce = current.nonce) AS first_at
        FROM (
          SELECT i.swap_id, i.kind, i.chain_id, i.signer, COALESCE(i.nonce, b.nonce) AS nonce,
            CASE WHEN (i.kind = 'collect' AND s.origin_tx_hash IS NULL)
              OR (i.kind = 'deliver' AND s.delivery_tx_hash IS NULL)
              OR (i.kind = 'refund' AND s.refund_tx_hash IS NULL) THEN 1 ELSE 0 END AS pending
          FROM swaps s JOIN tx_intents i ON i.swap_id = s.id
          LEFT JOIN batch_items b ON b.swap_id = i.swap_id AND b.kind = i.kind
          WHERE s.state NOT IN ('settled', 'failed', 'refunded') AND COALESCE(i.nonce, b.nonce) IS NOT NULL
          AND ((s.state IN ('origin_prepared', 'origin_sent') AND i.kind = 'collect')
            OR (s.state IN ('delivery_prepared', 'delivery_sent') AND i.kind = 'deliver')
            OR (s.state IN ('refund_prepared', 'refund_sent') AND i.kind = 'refund'))
        ) AS current
      ) AS lanes GROUP BY chain_id, signer`
  )
  const retired = retiredRows(sql`SELECT chain_id, relayer, retired_at FROM retired_relayers`)

  return {
    all: Effect.gen(function* () {
      const lanes = new Map<string, Lane>()
      for (const { chain_id, oldest_at, pending, signer, unfinished } of yield* uses) {
        const oldest = oldest_at === null ? {} : { oldestAt: oldest_at }
        lanes.set(`${chain_id} ${signer}`, { chainId: chain_id, relayer: signer, pending, ...oldest, unfinished })
      }
      for (const { chain_id, relayer, retired_at } of yield* retired) {
        const key = `${chain_id} ${relayer}`
        const used = lanes.get(key) ?? { chainId: chain_id, relayer, pending: 0, unfinished: 0 }
        lanes.set(key, { ...used, retiredAt: retired_at })
      }
      return [...lanes.values()]
    }).pipe(unavailable("count the relayers' transactions")),

    retire: Effect.fn("Store.retireRelayer")(
      function* (chainId, relayer, relayers) {
        // Two commands that retire different relayers at the same time must not retire all of them.
        yield* lock([`relayers ${chainId}`])
        const address = addressKey(relayer)
        const before = new Set(
          (yield* retired).filter(({ chain_id }) => chain_id === chainId).map((row) => row.relayer)
        )
        if (before.has(address)) return { _tag: "AlreadyRetired" } satisfies Retirement
        const isLeft = (one: string) => one !== address && !before.has(one)
        if (!relayers.map(addressKey).some(isLeft)) return { _tag: "LastRelayer" } satisfies Retirement
        const now = yield* Clock.currentTimeMillis
        yield* sql`INSERT INTO retired_relayers (chain_id, relayer, retired_at) VALUES (${chainId}, ${address}, ${now})`
        return { _tag: "Retired" } satisfies Retirement
      },
      transaction,
      unavailable("retire the relayer")
    ),

    restore: Effect.fn("Store.restoreRelayer")(
      (chainId, relayer) =>
        Effect.map(
          sql`DELETE FROM retired_relayers WHERE chain_id = ${chainId} AND relayer = ${addressKey(relayer)}
            RETURNING relayer`,
          (rows) => rows.length > 0
        ),
      unavailable("restore the relayer")
    )
  }
}
