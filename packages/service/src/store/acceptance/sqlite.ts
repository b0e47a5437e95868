/** Acceptances on SQLite: statements for each swap, and for all resources together, in one transaction. */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Claim } from "../../domain/Claim.js"
import * as SwapRows from "../swaps/swapRows.js"
import type { AcceptanceStore, NewClaim, NewSwap, OrderFacts, Usage } from "./AcceptanceStore.js"
import { amountOfParts, storedParts } from "./amountParts.js"
import { isNotSummed } from "./claimTables.js"
import { type Call, usageKey } from "./decide.js"
import { changeTotals } from "./sqliteTotals.js"

interface OrderRow {
  readonly existing: string | null
  readonly nonce_used: unknown
}

interface AmountRow {
  readonly position: number
  readonly amount: string
}

interface ReleaseRow {
  readonly position: number
  readonly block: number | bigint
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

/** Parts of statements about resources that are given as JSON: `[{ "kind": …, "name": …, "block": … }, …]`. */
const given = "json_each(?) AS given"
const field = (name: string): string => `given.value ->> '${name}'`
const isGiven = (table: string): string => `${table}.kind = ${field("kind")} AND ${table}.name = ${field("name")}`
const block = `CAST(${field("block")} AS INTEGER)`

/** The amounts of several claims, for `sumOf`. */
const amounts = "group_concat(claims.amount, '+') AS amount"

const readAmounts = `SELECT given.key AS position, ${amounts} FROM ${given} CROSS JOIN claims
  WHERE ${isGiven("claims")} AND claims.${isNotSummed} AND (until_block IS NULL OR until_block > ${block})
  GROUP BY given.key`
const readTotals = `SELECT given.key AS position, ${storedParts} AS amount FROM ${given} CROSS JOIN claim_totals
  WHERE ${isGiven("claim_totals")}`
/** Refunds whose input arrived after the balance of the vault was read. */
const readLater = `SELECT given.key AS position, ${amounts} FROM ${given} CROSS JOIN claims
  WHERE ${field("kind")} = 'vault' AND claims.kind = 'refund' AND claims.name = ${field("name")} AND from_block > ${block}
  GROUP BY given.key`
const readReleases = `SELECT given.key AS position, releases.block FROM ${given} CROSS JOIN releases
  WHERE ${isGiven("releases")}`

const sumOf = (listed: string): bigint => listed.split("+").reduce((sum, amount) => sum + BigInt(amount), 0n)

const existingSwap = `SELECT ${SwapRows.columns} FROM swaps WHERE id = ?1`

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
    const [existing] = id === undefined ? [] : yield* sql.unsafe<SwapRows.SwapRow>(existingSwap, [id])
    return { existing, nonceUsed: Number(found?.nonce_used) === 1 } satisfies OrderFacts
  })

  /** Reads with statements for all resources together. */
  const usagesOf = Effect.fnUntraced(function* (claims: ReadonlyArray<Claim>) {
    const resources = [...new Map(claims.map((claim) => [usageKey(claim), claim])).values()]
    const of = (some: ReadonlyArray<Claim>) =>
      JSON.stringify(some.map(({ kind, limit, name }) => ({ kind, name, block: limit.block.toString() })))
    const all = of(resources)
    // A vault covers both its outputs and the refunds that it owes.
    const totals = resources.flatMap((claim, position) =>
      claim.kind === "vault"
        ? (["output", "refund"] as const).map((kind) => ({ position, claim: { ...claim, kind } }))
        : [{ position, claim }]
    )
    const used = resources.map(() => 0n)
    const add = (position: number | undefined, amount: bigint) => {
      if (position !== undefined) used[position] = (used[position] ?? 0n) + amount
    }
    for (const row of yield* sql.unsafe<AmountRow>(readAmounts, [all])) add(row.position, sumOf(row.amount))
    for (const row of yield* sql.unsafe<AmountRow>(readLater, [all])) add(row.position, -sumOf(row.amount))
    for (const row of yield* sql.unsafe<AmountRow>(readTotals, [of(totals.map(({ claim }) => claim))])) {
      add(totals[row.position]?.position, amountOfParts(row.amount))
    }
    const released = yield* sql.unsafe<ReleaseRow>(readReleases, [all])
    const since = new Map(released.map(({ block: latest, position }) => [position, BigInt(latest)]))
    return new Map(
      resources.map((claim, position): [string, Usage] => [
        usageKey(claim),
        { used: used[position] ?? 0n, since: since.get(position) ?? 0n }
      ])
    )
  })

  const claim = Effect.fnUntraced(function* (claims: ReadonlyArray<NewClaim>) {
    yield* sql.unsafe(insertClaims, [JSON.stringify(claims)])
    yield* changeTotals(sql, claims, 1n)
  })

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
