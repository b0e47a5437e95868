/** Acceptances on PostgreSQL: one statement locks and reads for the whole group, and one statement writes it. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import { type Claim, keyOf, widelyShared } from "../../domain/Claim.js"
import * as Rows from "../sql/rows.js"
import * as SwapRows from "../swaps/swapRows.js"
import type { AcceptanceStore, Facts, NewClaim, NewSwap, Usages } from "./AcceptanceStore.js"
import { isNotSummed, isSummed } from "./claimTables.js"
import { type Call, usageKey } from "./decide.js"
import { claimLocks, lockNames } from "./lockNames.js"

/**
 * Locks the group and then reads what its decisions depend on. PostgreSQL takes a statement's snapshot before the
 * statement waits for a lock, so a plain statement would read what was there before the locks were acquired. Within
 * this function, each query is a new statement with a new snapshot.
 *
 * A lock with a resource is taken only if more than half of the resource is used.
 *
 * The pattern only narrows the search for the nonce. The nonce in the decoded operation is authoritative.
 */
export const functions: ReadonlyArray<string> = [
  `CREATE FUNCTION geoswap_acceptance_facts (locks JSON, orders JSON, resources JSON) RETURNS JSON
  LANGUAGE plpgsql SET enable_seqscan = off AS $$
  DECLARE
    entry RECORD;
  BEGIN
    FOR entry IN
      SELECT l.name, l.kind, l.resource, l.amount FROM json_to_recordset(locks) AS l (
        position BIGINT, name TEXT, kind TEXT, resource TEXT, amount NUMERIC
      ) ORDER BY l.position
    LOOP
      IF entry.kind IS NULL OR geoswap_claimed(entry.kind, entry.resource) * 2 > entry.amount THEN
        PERFORM pg_advisory_xact_lock(hashtextextended(entry.name, 0));
      END IF;
    END LOOP;
    RETURN json_build_object(
      'orders', (
        SELECT COALESCE(json_agg(json_build_object(
          'existing', (SELECT s.id FROM swaps s WHERE s.order_id = g.order_id),
          'nonceUsed', g.nonce IS NOT NULL AND (
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
          )
        ) ORDER BY g.position), '[]'::json)
        FROM json_to_recordset(orders) AS g (
          position BIGINT, order_id TEXT, origin_chain BIGINT, wallet TEXT, nonce TEXT
        )
      ),
      'usages', (
        SELECT COALESCE(json_agg(json_build_object(
          'position', r.position,
          'used', (
            CASE
              WHEN r.kind = 'vault' THEN
                geoswap_claimed('output', r.name) + geoswap_claimed('refund', r.name) - COALESCE((
                  SELECT SUM(c.amount::numeric) FROM claims c
                  WHERE c.kind = 'refund' AND c.name = r.name AND c.from_block > r.block
                ), 0)
              WHEN r.${isSummed} THEN geoswap_claimed(r.kind, r.name)
              ELSE COALESCE((
                SELECT SUM(c.amount::numeric) FROM claims c WHERE c.kind = r.kind AND c.name = r.name
                AND c.${isNotSummed} AND (c.until_block IS NULL OR c.until_block > r.block)
              ), 0)
            END
          )::text,
          'since', (SELECT b.block::text FROM releases b WHERE b.kind = r.kind AND b.name = r.name)
        )), '[]'::json)
        FROM json_to_recordset(resources) AS r (position BIGINT, kind TEXT, name TEXT, block NUMERIC)
      )
    );
  END $$`
]

const Found = Schema.Struct({
  orders: Schema.Array(Schema.Struct({ existing: Schema.NullOr(Schema.String), nonceUsed: Schema.Boolean })),
  usages: Schema.Array(
    Schema.Struct({
      position: Schema.Int,
      used: Schema.BigIntFromString,
      since: Schema.NullOr(Schema.BigIntFromString)
    })
  )
})
const foundRows = Rows.all(Schema.Struct({ found: Schema.Union([Found, Schema.fromJsonString(Found)]) }))

const readFacts = "SELECT geoswap_acceptance_facts($1::json, $2::json, $3::json) AS found"

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
  visitor: "TEXT",
  nonce: "TEXT"
}

const elsewhere: ReadonlySet<string> = new Set(["quoted_at", "visitor", "nonce"])
const ofSwaps = Object.keys(columns).filter((name) => !elsewhere.has(name))

const claimColumns = "swap_id, phase, kind, name, amount"
const insertClaims = (given: string): string =>
  `INSERT INTO claims (${claimColumns}) SELECT ${claimColumns} FROM json_to_recordset(${given}::json) AS claim (
    swap_id TEXT, phase TEXT, kind TEXT, name TEXT, amount TEXT
  )`

const write = `WITH given AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS given (${Object.entries(columns)
      .map(([name, type]) => `${name} ${type}`)
      .join(", ")})
  ), swap AS (
    INSERT INTO swaps (${ofSwaps.join(", ")}) SELECT ${ofSwaps.join(", ")} FROM given
  ), detail AS (
    INSERT INTO swap_details (swap_id, quoted_at, visitor) SELECT id, quoted_at, visitor FROM given
  ), assigned AS (
    INSERT INTO operation_nonces (chain_id, wallet, nonce, swap_id)
    SELECT origin_chain, wallet_key, nonce, id FROM given WHERE nonce IS NOT NULL
    ON CONFLICT (chain_id, wallet, nonce) DO UPDATE SET swap_id = excluded.swap_id
  ), claimed AS (
    ${insertClaims("$2")}
  )
  INSERT INTO swap_events (swap_id, version, at, state, detail)
  SELECT id, version, updated_at, state, 'accepted' FROM given`

const claimAgain = insertClaims("$1")

/** What the function reads for a call. */
const orderOf = ({ nonce, row, swap }: Call, position: number) => ({
  position,
  order_id: swap.orderId,
  origin_chain: swap.originChain,
  wallet: row.wallet_key,
  nonce: nonce?.nonce ?? null
})

/** The claims with different usages, in a fixed order. */
const distinct = (claims: ReadonlyArray<Claim>): ReadonlyArray<Claim> => [
  ...new Map(claims.map((claim) => [usageKey(claim), claim])).values()
]

/** The locks in their order. A resource of a chain or an account comes with the smallest of its limits. */
const locksOf = (names: ReadonlyArray<string>, claims: ReadonlyArray<Claim>) => {
  const shared = new Map<string, Claim>()
  for (const claim of claims) {
    const known = shared.get(keyOf(claim))
    const isSmaller = known === undefined || claim.limit.amount < known.limit.amount
    if (widelyShared.includes(claim.kind) && isSmaller) shared.set(keyOf(claim), claim)
  }
  return [...names, ...shared.keys()].toSorted().map((name, position) => {
    const claim = shared.get(name)
    return {
      position,
      name,
      ...(claim !== undefined && { kind: claim.kind, resource: claim.name, amount: claim.limit.amount.toString() })
    }
  })
}

export const make = (sql: SqlClient): AcceptanceStore => {
  const read = Effect.fnUntraced(function* (
    names: ReadonlyArray<string>,
    calls: ReadonlyArray<Call>,
    claims: ReadonlyArray<Claim>
  ) {
    const resources = distinct(claims)
    const asked = resources.map(({ kind, limit, name }, position) => ({
      position,
      kind,
      name,
      block: limit.block.toString()
    }))
    const parameters = [locksOf(names, claims), calls.map(orderOf), asked].map((value) => JSON.stringify(value))
    const [row] = yield* foundRows(sql.unsafe(readFacts, parameters))
    const { orders, usages } = row?.found ?? { orders: [], usages: [] }
    const byKey: Usages = new Map(
      usages.flatMap(({ position, since, used }) => {
        const claim = resources[position]
        return claim === undefined ? [] : [[usageKey(claim), { used, since: since ?? 0n }] as const]
      })
    )
    return { orders, usages: byKey }
  })

  return {
    read: Effect.fnUntraced(function* (calls) {
      const claims = calls.flatMap((call) => call.claims)
      const { orders, usages } = yield* read(lockNames(calls), calls, claims)
      const ids = orders.flatMap(({ existing }) => (existing === null ? [] : [existing]))
      const rows =
        ids.length === 0
          ? []
          : yield* sql.unsafe<SwapRows.SwapRow>(`SELECT ${SwapRows.columns} FROM swaps WHERE id = ANY($1)`, [ids])
      const existing = new Map(rows.map((row) => [row["id"], row]))
      return {
        usages,
        orders: orders.map(({ existing: id, nonceUsed }) => ({ existing: existing.get(id), nonceUsed }))
      } satisfies Facts
    }),
    usages: (claims) => Effect.map(read(claimLocks(claims), [], claims), ({ usages }) => usages),
    write: (swaps, claims) => Effect.asVoid(sql.unsafe(write, [JSON.stringify(swaps), JSON.stringify(claims)])),
    claim: (claims: ReadonlyArray<NewClaim>) => Effect.asVoid(sql.unsafe(claimAgain, [JSON.stringify(claims)]))
  }
}
