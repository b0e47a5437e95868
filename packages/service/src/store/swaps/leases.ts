/**
 * Leases: which worker has claimed which swap. Leases only avoid duplicate work. Versions and unique keys ensure
 * correctness.
 */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SwapRecord } from "../../domain/SwapRecord.js"
import { type Dialect, maxIds } from "../sql/dialect.js"
import * as Rows from "../sql/rows.js"
import { unavailable } from "../sql/storeUnavailable.js"
import type { Store } from "../Store.js"
import * as SwapRows from "./swapRows.js"

const oldestFirst = Order.combine(
  Order.mapInput(Order.Number, (swap: SwapRecord) => swap.createdAt),
  Order.mapInput(Order.String, (swap: SwapRecord) => swap.id)
)

export const make = (
  sql: SqlClient,
  { lockRows, skipLocked }: Dialect
): Pick<Store, "claim" | "claimOne" | "renew" | "release" | "releaseAll"> => {
  /** Locks swaps in the order of their ids, like `sqlBatches.ts`, so that the two cannot deadlock. */
  const heldBy = (owner: string, ids: ReadonlyArray<string>) =>
    sql`SELECT id FROM swaps WHERE lease_owner = ${owner} AND ${sql.in("id", ids)} ORDER BY id ${lockRows}`

  return {
    claim: Effect.fn("Store.claim")(function* ({ leaseMillis, limit, owner }) {
      const now = yield* Clock.currentTimeMillis
      const most = Math.max(0, limit)
      // Two searches, each with its own index: one for unclaimed swaps, and one for the few swaps whose lease has
      // expired. In the second search, `created_at + 0` keeps databases from scanning all swaps by time.
      const claimed = yield* SwapRows.swaps(
        sql`WITH fresh AS MATERIALIZED (
          SELECT id, created_at FROM swaps
          WHERE state NOT IN ('settled', 'failed', 'refunded') AND lease_until IS NULL
          ORDER BY created_at, id LIMIT ${most} ${skipLocked}
        ), lapsed AS MATERIALIZED (
          SELECT id, created_at FROM swaps
          WHERE state NOT IN ('settled', 'failed', 'refunded') AND lease_until < ${now}
          ORDER BY created_at + 0, id LIMIT ${most} ${skipLocked}
        ), free AS MATERIALIZED (
          SELECT id FROM (SELECT id, created_at FROM fresh UNION ALL SELECT id, created_at FROM lapsed) AS candidates
          ORDER BY created_at, id LIMIT ${most}
        )
        UPDATE swaps SET lease_owner = ${owner}, lease_until = ${now + leaseMillis}
        WHERE id IN (SELECT id FROM free) RETURNING ${sql.literal(SwapRows.columns)}`
      )
      return Arr.sort(claimed, oldestFirst)
    }, unavailable("claim swaps")),

    claimOne: Effect.fn("Store.claimOne")(function* ({ id, leaseMillis, owner }) {
      const now = yield* Clock.currentTimeMillis
      // A released swap has no owner, but may have a time before which workers do not claim it.
      const claimed = yield* SwapRows.swaps(
        sql`UPDATE swaps SET lease_owner = ${owner}, lease_until = ${now + leaseMillis}
        WHERE id = ${id} AND state NOT IN ('settled', 'failed', 'refunded')
        AND (lease_owner IS NULL OR lease_until IS NULL OR lease_until < ${now})
        RETURNING ${sql.literal(SwapRows.columns)}`
      )
      return Arr.head(claimed)
    }, unavailable("claim the swap")),

    renew: Effect.fn("Store.renew")(function* (owner, ids, leaseMillis) {
      const now = yield* Clock.currentTimeMillis
      const held = yield* Effect.forEach(Arr.chunksOf(ids, maxIds), (some) =>
        Rows.ids.read(
          sql`UPDATE swaps SET lease_until = ${now + leaseMillis} WHERE id IN (${heldBy(owner, some)}) RETURNING id`
        )
      )
      return held.flat().map(({ id }) => id)
    }, unavailable("renew the leases")),

    release: Effect.fn("Store.release")(function* (owner, ids, idleMillis) {
      const until = idleMillis === undefined ? null : Math.ceil((yield* Clock.currentTimeMillis) + idleMillis)
      yield* Effect.forEach(
        Arr.chunksOf(ids, maxIds),
        (some) => sql`UPDATE swaps SET lease_owner = NULL, lease_until = ${until} WHERE id IN (${heldBy(owner, some)})`,
        { discard: true }
      )
    }, unavailable("release swaps")),

    releaseAll: sql`UPDATE swaps SET lease_owner = NULL, lease_until = NULL
    WHERE state NOT IN ('settled', 'failed', 'refunded') AND lease_until IS NOT NULL`.pipe(
      Effect.andThen(sql`UPDATE delegation_changes SET lease_owner = NULL, lease_until = NULL
      WHERE state IN ('accepted', 'sent') AND lease_until IS NOT NULL`),
      Effect.asVoid,
      unavailable("release all swaps")
    )
  }
}
