/**
 * Reads what the decisions about a group of acceptances depend on, while the group's locks are held. PostgreSQL takes a
 * statement's snapshot before the statement waits for a lock, so a plain statement would read what was there before the
 * locks were acquired. There, a function takes the locks, and each of its queries has a new snapshot.
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { addressKey } from "../../domain/addressKey.js"
import { type Claim, keyOf, widelyShared } from "../../domain/Claim.js"
import { type Columns, type Dialect, postgresParts } from "../sql/dialect.js"
import * as Rows from "../sql/rows.js"
import { isNotSummed } from "./claimTables.js"
import { totals } from "./claimTotals.js"
import { type Call, type Facts, type Usage, usageKey } from "./decide.js"
import { nonceKey } from "./operationNonces.js"

/** The name of the lock for transactions that determine whether an order becomes a swap. */
export const orderLock = (orderId: string): string => `order ${orderId}`

/** The locks for claims. What a vault holds is locked with its outputs. */
const claimLocks = (claims: ReadonlyArray<Claim>): ReadonlyArray<string> =>
  claims.flatMap((claim) => (claim.kind === "vault" || widelyShared.includes(claim.kind) ? [] : [keyOf(claim)]))

const orderRows = Rows.table({
  position: Rows.whole,
  id: Rows.optional(Rows.text),
  accountId: Rows.optional(Rows.text),
  operationHash: Rows.optional(Rows.text),
  nonceUsed: Rows.flag
})

const orderColumns: Columns = {
  position: "BIGINT",
  order_id: "TEXT",
  origin_chain: "BIGINT",
  wallet_key: "TEXT",
  operation_nonce: "TEXT"
}

const ordersOf = (given: string): string =>
  `SELECT given.position, swaps.id, swaps.account_id, swaps.operation_hash, CASE WHEN EXISTS (
      SELECT 1 FROM swaps AS same WHERE same.origin_chain = given.origin_chain AND same.wallet_key = given.wallet_key
      AND same.operation_nonce = given.operation_nonce AND same.state <> 'failed'
    ) THEN 1 ELSE 0 END AS nonce_used
    FROM ${given} LEFT JOIN swaps ON swaps.order_id = given.order_id`

const usageRows = Rows.table({
  position: Rows.whole,
  used: Rows.sum,
  kept: Rows.sum,
  later: Rows.sum,
  since: Rows.sum
})

const usageColumns: Columns = { position: "BIGINT", kind: "TEXT", name: "TEXT", block: "BIGINT" }

/**
 * What is claimed of resources: by claims without a total, by the others, and by refunds whose input arrived after the balance
 * of the vault was read; and the latest release. Scalar subqueries, so that every database searches by the resource.
 */
const usagesOf = ({ engine, sum }: Pick<Dialect, "engine" | "sum">, given: string): string => {
  const part = (of: string, from: string) => `(SELECT ${of} FROM ${from} AS one WHERE one.name = given.name AND`
  return `SELECT given.position,
      ${part(sum("one.amount"), "claims")} one.kind = given.kind
        AND one.${isNotSummed} AND (one.until_block IS NULL OR one.until_block > given.block)) AS used,
      ${part(sum("one.amount"), totals[engine])} one.kind = given.kind) AS kept,
      ${part(sum("one.amount"), "claims")} one.kind = 'refund'
        AND given.kind = 'vault' AND one.from_block > given.block) AS later,
      ${part("CAST(one.block AS TEXT)", "releases")} one.kind = given.kind) AS since
    FROM ${given}`
}

const lockColumns: Columns = { position: "BIGINT", name: "TEXT", kind: "TEXT", resource: "TEXT", amount: "NUMERIC" }

const { given } = postgresParts

/** A lock with a resource is taken only if more than half of the resource is used. */
export const factsFunction = `CREATE FUNCTION geoswap_acceptance_facts (locks JSON, orders JSON, resources JSON) RETURNS JSON
  LANGUAGE plpgsql SET enable_seqscan = off AS $$
  DECLARE
    entry RECORD;
  BEGIN
    FOR entry IN
      SELECT given.name, given.kind, given.resource, given.amount FROM ${given("locks", lockColumns)} ORDER BY given.position
    LOOP
      IF entry.kind IS NULL OR (
        SELECT SUM(one.amount) FROM ${totals.postgres} AS one WHERE one.kind = entry.kind AND one.name = entry.resource
      ) * 2 > entry.amount THEN
        PERFORM pg_advisory_xact_lock(hashtextextended(entry.name, 0));
      END IF;
    END LOOP;
    RETURN json_build_object(
      'orders', (SELECT COALESCE(json_agg(one), '[]') FROM (${ordersOf(given("orders", orderColumns))}) AS one),
      'usages', (SELECT COALESCE(json_agg(one), '[]') FROM (${usagesOf(postgresParts, given("resources", usageColumns))}) AS one)
    );
  END $$`

const readFacts = "SELECT geoswap_acceptance_facts($1::json, $2::json, $3::json)::text AS found"

/** What is asked about a call's order. */
const orderOf = ({ swap: { operation, orderId, originChain, wallet } }: Call, position: number) => ({
  position,
  order_id: orderId,
  origin_chain: originChain,
  wallet_key: addressKey(wallet),
  operation_nonce: operation._tag === "evm" ? operation.nonce : null
})

/** What is asked about a claim's resource. What a vault holds covers both its outputs and the refunds that it owes. */
const resourcesOf = ({ kind, limit, name }: Claim, position: number) =>
  (kind === "vault" ? (["vault", "output", "refund"] as const) : [kind]).map((counted) => ({
    position,
    kind: counted,
    name,
    block: limit.block.toString()
  }))

/** The locks in the order in which every transaction takes them, so that two groups cannot deadlock. */
const locksOf = (calls: ReadonlyArray<Call>, claims: ReadonlyArray<Claim>) => {
  const names = calls.flatMap(({ swap }) => [orderLock(swap.orderId), nonceKey(swap) ?? []].flat())
  // A resource of a chain or an account comes with the smallest of its limits.
  const shared = new Map<string, Claim>()
  for (const claim of claims) {
    const known = shared.get(keyOf(claim))
    const isSmaller = known === undefined || claim.limit.amount < known.limit.amount
    if (widelyShared.includes(claim.kind) && isSmaller) shared.set(keyOf(claim), claim)
  }
  return [...new Set([...names, ...claimLocks(claims), ...shared.keys()])].toSorted().map((name, position) => {
    const claim = shared.get(name)
    const resource = claim && { kind: claim.kind, resource: claim.name, amount: claim.limit.amount.toString() }
    return { position, name, ...resource }
  })
}

/** Takes the locks for calls and claims until the transaction ends, and then reads. */
export const make = (sql: SqlClient, dialect: Dialect) =>
  Effect.fnUntraced(function* (
    calls: ReadonlyArray<Call>,
    claims: ReadonlyArray<Claim>
  ): Effect.fn.Return<Facts, SqlError> {
    const distinct = [...new Map(claims.map((claim) => [usageKey(claim), claim])).values()]
    const [locks, orders, resources] = [locksOf(calls, claims), calls.map(orderOf), distinct.flatMap(resourcesOf)].map(
      (value) => JSON.stringify(value)
    )
    const { given } = dialect
    // SQLite allows one writer at a time, so the transaction is already exclusive.
    const separately = Effect.all({
      orders: sql.unsafe(ordersOf(given("?", orderColumns)), [orders]),
      usages: sql.unsafe(usagesOf(dialect, given("?", usageColumns)), [resources])
    })
    const inFunction = Effect.map(
      sql.unsafe<{ readonly found: string }>(readFacts, [locks, orders, resources]),
      ([row]) => JSON.parse(row?.found ?? "") as Effect.Success<typeof separately>
    )
    const found = yield* dialect.engine === "postgres" ? inFunction : separately
    const known = yield* orderRows.read(Effect.succeed(found.orders))
    const usages = new Map<string, Usage>()
    for (const { kept, later, position, since, used } of yield* usageRows.read(Effect.succeed(found.usages))) {
      const claim = distinct[position]
      if (claim === undefined) continue
      const before = usages.get(usageKey(claim)) ?? { used: 0n, since: 0n }
      usages.set(usageKey(claim), {
        used: before.used + used + kept - later,
        since: since > before.since ? since : before.since
      })
    }
    return { usages, orders: new Map(known.map((order) => [order.position, order])) }
  })
