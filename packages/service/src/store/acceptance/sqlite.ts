/** Acceptances on SQLite: statements for each swap and each resource, in one transaction. */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { amountOfParts, storedParts, sumOfParts } from "../claims/amountParts.js"
import type { Claim, Kind } from "../claims/Claim.js"
import * as Rows from "../rows.js"
import type { AcceptanceStore, NewClaim, NewSwap, OrderFacts, Usage } from "./AcceptanceStore.js"
import { type Call, usageKey } from "./decide.js"

interface OrderRow {
  readonly existing: string | null
  readonly nonce_used: unknown
}

interface UsageRow {
  readonly total: string | null
  readonly claimed: string | null
  readonly since: number | bigint | null
}

// SQLite runs in the process and allows one writer at a time, so the transaction is already exclusive.
const readOrder = `SELECT
    (SELECT id FROM swaps WHERE order_id = ?1) AS existing,
    EXISTS (
      SELECT 1 FROM swaps
      WHERE origin_chain = ?2 AND wallet_key = ?3 AND state IN ('accepted', 'origin_prepared', 'origin_sent')
      AND CASE
        WHEN operation LIKE '%"nonce":"' || ?4 || '"%'
        THEN operation ->> '$._tag' = 'evm' AND operation ->> '$.nonce' = ?4
        ELSE 0
      END
    ) OR EXISTS (
      SELECT 1 FROM operation_nonces JOIN swaps ON swaps.id = operation_nonces.swap_id
      WHERE chain_id = ?2 AND operation_nonces.wallet = ?3 AND nonce = ?4 AND state <> 'failed'
    ) AS nonce_used`

const total = `(SELECT ${storedParts} FROM output_totals WHERE name = ?2)`
const since = "(SELECT block FROM releases WHERE kind = ?1 AND name = ?2)"
const claimed = (kind: string, counts: string): string =>
  `(SELECT ${sumOfParts("amount")} FROM claims WHERE kind = ${kind} AND name = ?2 AND ${counts})`

const readClaims = `SELECT NULL AS total, ${claimed("?1", "(until_block IS NULL OR until_block > ?3)")} AS claimed,
  ${since} AS since`
const readOutputs = `SELECT ${total} AS total, NULL AS claimed, ${since} AS since, ?3 AS block`
const readVault = `SELECT ${total} AS total,
  ${claimed("'refund'", "(from_block IS NULL OR from_block <= ?3)")} AS claimed, ${since} AS since`

const readUsage = (kind: Kind): string => (kind === "output" ? readOutputs : kind === "vault" ? readVault : readClaims)

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
const insertDetail = "INSERT INTO swap_details (swap_id, quoted_at, visitor) VALUES (?, ?, ?)"
const assignNonce = `INSERT INTO operation_nonces (chain_id, wallet, nonce, swap_id) VALUES (?, ?, ?, ?)
  ON CONFLICT (chain_id, wallet, nonce) DO UPDATE SET swap_id = excluded.swap_id`
const insertClaims = `INSERT INTO claims (swap_id, phase, kind, name, amount)
  SELECT value ->> 'swap_id', value ->> 'phase', value ->> 'kind', value ->> 'name', value ->> 'amount' FROM json_each(?)`
const insertEvent = "INSERT INTO swap_events (swap_id, version, at, state, detail) VALUES (?, ?, ?, ?, 'accepted')"

export const make = (sql: SqlClient): AcceptanceStore => {
  const orderOf = Effect.fnUntraced(function* ({ nonce, row, swap }: Call) {
    const parameters = [swap.orderId, swap.originChain, row.wallet_key, nonce?.nonce ?? null]
    const [found] = yield* sql.unsafe<OrderRow>(readOrder, parameters)
    const id = found?.existing ?? undefined
    const [existing] = id === undefined ? [] : yield* sql.unsafe<Rows.SwapRow>(existingSwap, [id])
    return { existing, nonceUsed: Number(found?.nonce_used) === 1 } satisfies OrderFacts
  })

  const usageOf = Effect.fnUntraced(function* ({ kind, limit, name }: Claim) {
    const [row] = yield* sql.unsafe<UsageRow>(readUsage(kind), [kind, name, limit.block.toString()])
    return {
      used: amountOfParts(row?.total) + amountOfParts(row?.claimed),
      since: BigInt(row?.since ?? 0)
    } satisfies Usage
  })

  const usagesOf = (claims: ReadonlyArray<Claim>) => {
    const distinct = new Map(claims.map((claim) => [usageKey(claim), claim]))
    return Effect.map(
      Effect.forEach(distinct, ([key, claim]) => Effect.map(usageOf(claim), (usage) => [key, usage] as const)),
      (usages) => new Map(usages)
    )
  }

  const claim = (claims: ReadonlyArray<NewClaim>) => Effect.asVoid(sql.unsafe(insertClaims, [JSON.stringify(claims)]))

  return {
    read: (calls) =>
      Effect.all({
        orders: Effect.forEach(calls, orderOf),
        usages: usagesOf(calls.flatMap(({ claims }) => claims))
      }),
    usages: usagesOf,
    claim,
    write: Effect.fnUntraced(function* (swaps, claims) {
      for (const swap of swaps) {
        const { id, nonce, origin_chain, state, updated_at, version } = swap
        const values = swapColumns.map((column) => swap[column])
        yield* sql.unsafe(insertSwap, values)
        yield* sql.unsafe(insertDetail, [id, swap.quoted_at, swap.visitor])
        if (nonce !== null) yield* sql.unsafe(assignNonce, [origin_chain, swap.wallet_key, nonce, id])
        yield* sql.unsafe(insertEvent, [id, version, updated_at, state])
      }
      yield* claim(claims)
    })
  }
}
