/** Acceptances on PostgreSQL: one statement locks and reads for the whole group, and one statement writes it. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Rows from "../rows.js"
import type { Call, Facts } from "./decide.js"
import { lockNames } from "./lockNames.js"
import type { AcceptanceStore, NewSwap } from "./AcceptanceStore.js"

/**
 * Locks the group and then reads what its decisions depend on. PostgreSQL takes a statement's snapshot before the
 * statement waits for a lock, so a plain statement would read what was there before the locks were acquired. Within
 * this function, the query is a new statement with a new snapshot.
 *
 * The pattern only narrows the search for the nonce. The nonce in the decoded operation is authoritative.
 *
 * A later version that needs another function must give it another name, because replicas running this version call
 * this one.
 */
export const functions: ReadonlyArray<string> = [
  `CREATE FUNCTION geoswap_acceptance_facts (names TEXT[], given JSON)
  RETURNS TABLE (
    existing TEXT, nonce_used BOOLEAN, in_flight TEXT, reserved TEXT, balance_since BIGINT, inventory_since BIGINT
  )
  LANGUAGE plpgsql SET enable_seqscan = off AS $$
  DECLARE
    name TEXT;
  BEGIN
    FOREACH name IN ARRAY names LOOP
      PERFORM pg_advisory_xact_lock(hashtextextended(name, 0));
    END LOOP;
    RETURN QUERY
      WITH g AS MATERIALIZED (
        SELECT * FROM json_to_recordset(given) AS g (
          position BIGINT, order_id TEXT, origin_chain BIGINT, wallet TEXT, input TEXT, nonce TEXT,
          balance_block NUMERIC, destination_chain BIGINT, output TEXT
        )
      ), inventory AS MATERIALIZED (
        SELECT i.destination_chain, i.output,
          COALESCE(
            (SELECT t.amount FROM reservation_totals t
              WHERE t.chain_id = i.destination_chain AND t.token = i.output), 0
          ) - COALESCE(
            (SELECT SUM(r.amount) FROM released_reservations r
              WHERE r.chain_id = i.destination_chain AND r.token = i.output), 0
          ) AS reserved,
          (SELECT b.block FROM releases b
            WHERE b.chain_id = i.destination_chain AND b.token = i.output AND b.holder = '') AS since
        FROM (SELECT DISTINCT g.destination_chain, g.output FROM g) AS i
      )
      SELECT
        (SELECT s.id FROM swaps s WHERE s.order_id = g.order_id),
        g.nonce IS NOT NULL AND (
          EXISTS (
            SELECT 1 FROM swaps s
            WHERE s.origin_chain = g.origin_chain AND s.wallet_key = g.wallet
            AND s.state IN ('accepted', 'origin_prepared', 'origin_sent')
            AND CASE
              WHEN s.operation LIKE '%"nonce":"' || g.nonce || '"%'
              THEN s.operation::json ->> '_tag' = 'evm' AND s.operation::json ->> 'nonce' = g.nonce
              ELSE false
            END
          ) OR EXISTS (
            SELECT 1 FROM operation_nonces o JOIN swaps s ON s.id = o.swap_id
            WHERE o.chain_id = g.origin_chain AND o.wallet = g.wallet AND o.nonce = g.nonce AND s.state <> 'failed'
          )
        ),
        (
          SELECT COALESCE(SUM(s.amount::numeric), 0)::text FROM swaps s
          WHERE s.origin_chain = g.origin_chain AND s.wallet_key = g.wallet AND s.input_token_key = g.input
          AND s.state IN ('accepted', 'origin_prepared', 'origin_sent')
          AND NOT EXISTS (
            SELECT 1 FROM swap_details d WHERE d.swap_id = s.id AND d.origin_block <= g.balance_block
          )
        ),
        i.reserved::text,
        (SELECT b.block FROM releases b
          WHERE b.chain_id = g.origin_chain AND b.token = g.input AND b.holder = g.wallet),
        i.since
      FROM g JOIN inventory i ON i.destination_chain = g.destination_chain AND i.output = g.output
      ORDER BY g.position;
  END $$`
]

const factRows = Rows.all(
  Schema.Struct({
    existing: Schema.NullOr(Schema.String),
    nonce_used: Schema.Boolean,
    in_flight: Schema.BigIntFromString,
    reserved: Schema.BigIntFromString,
    balance_since: Schema.NullOr(Rows.Integer),
    inventory_since: Schema.NullOr(Rows.Integer)
  })
)

const readFacts = "SELECT * FROM geoswap_acceptance_facts($1::text[], $2::json)"

/** The columns of a new swap in the group, with their types. */
const columns: Readonly<Record<keyof NewSwap, string>> = {
  id: "TEXT",
  account_id: "TEXT",
  order_id: "TEXT",
  operation_hash: "TEXT",
  origin_chain: "BIGINT",
  destination_chain: "BIGINT",
  input_token: "TEXT",
  input_token_key: "TEXT",
  output_token: "TEXT",
  wallet: "TEXT",
  wallet_key: "TEXT",
  recipient: "TEXT",
  amount: "TEXT",
  output: "TEXT",
  min_output: "TEXT",
  terms: "TEXT",
  fee_bps: "DOUBLE PRECISION",
  network_cost: "TEXT",
  opens_account: "BIGINT",
  operation: "TEXT",
  trace: "TEXT",
  created_at: "BIGINT",
  state: "TEXT",
  version: "BIGINT",
  updated_at: "BIGINT",
  quoted_at: "BIGINT",
  output_token_key: "TEXT",
  nonce: "TEXT"
}

const elsewhere: ReadonlySet<string> = new Set(["quoted_at", "output_token_key", "nonce"])
const ofSwaps = Object.keys(columns).filter((name) => !elsewhere.has(name))

const write = `WITH given AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS given (${Object.entries(columns)
      .map(([name, type]) => `${name} ${type}`)
      .join(", ")})
  ), swap AS (
    INSERT INTO swaps (${ofSwaps.join(", ")}) SELECT ${ofSwaps.join(", ")} FROM given
  ), detail AS (
    INSERT INTO swap_details (swap_id, quoted_at) SELECT id, quoted_at FROM given
  ), assigned AS (
    INSERT INTO operation_nonces (chain_id, wallet, nonce, swap_id)
    SELECT origin_chain, wallet_key, nonce, id FROM given WHERE nonce IS NOT NULL
    ON CONFLICT (chain_id, wallet, nonce) DO UPDATE SET swap_id = excluded.swap_id
  ), reserved AS (
    INSERT INTO reservations (swap_id, chain_id, token, amount)
    SELECT id, destination_chain, output_token_key, output FROM given
  )
  INSERT INTO swap_events (swap_id, version, at, state, detail)
  SELECT id, version, updated_at, state, 'accepted' FROM given`

/** What the function reads for a call. */
const askOf = ({ keys: { input, nonce, output, wallet }, limits, swap }: Call, position: number) => ({
  position,
  order_id: swap.orderId,
  origin_chain: swap.originChain,
  wallet,
  input,
  nonce: nonce?.nonce ?? null,
  balance_block: limits.balance.block.toString(),
  destination_chain: swap.destinationChain,
  output
})

export const make = (sql: SqlClient): AcceptanceStore => ({
  read: Effect.fnUntraced(function* (calls) {
    const facts = yield* factRows(sql.unsafe(readFacts, [lockNames(calls), JSON.stringify(calls.map(askOf))]))
    const ids = facts.flatMap(({ existing }) => (existing === null ? [] : [existing]))
    const rows =
      ids.length === 0
        ? []
        : yield* sql.unsafe<Rows.SwapRow>(`SELECT ${Rows.columns} FROM swaps WHERE id = ANY($1)`, [ids])
    const existing = new Map(rows.map((row) => [row["id"], row]))
    return facts.map((found): Facts => ({
      existing: existing.get(found.existing),
      nonceUsed: found.nonce_used,
      inFlight: found.in_flight,
      reserved: found.reserved,
      balanceSince: BigInt(found.balance_since ?? 0),
      inventorySince: BigInt(found.inventory_since ?? 0)
    }))
  }),
  write: (swaps) => Effect.asVoid(sql.unsafe(write, [JSON.stringify(swaps)]))
})
