/**
 * The calls per second that each replica counts against shared limits, stored in PostgreSQL. Times are based on
 * PostgreSQL's clock.
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Rows from "../sql/rows.js"

const demands = Rows.table({ limitKey: Rows.text, perSecond: Rows.real })

/** The key of the row that marks a replica as alive. */
const alive = ""

const clock = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

const exchange = `WITH written AS (
    INSERT INTO limit_demand (limit_key, replica, per_second, valid_until)
    SELECT key, $1, demand, ${clock} + $2::bigint FROM unnest($3::text[], $4::float8[]) AS given (key, demand)
    ON CONFLICT (limit_key, replica)
    DO UPDATE SET per_second = excluded.per_second, valid_until = excluded.valid_until
  )
  SELECT limit_key, per_second FROM limit_demand
  WHERE limit_key = ANY($5::text[]) AND replica <> $1 AND valid_until > ${clock}`

// Skips rows that a replica is currently writing, instead of waiting for that replica's transaction.
const sweep = `DELETE FROM limit_demand WHERE (limit_key, replica) IN (
    SELECT limit_key, replica FROM limit_demand WHERE valid_until <= ${clock} LIMIT 10000 FOR UPDATE SKIP LOCKED
  )`

/** The other replicas' demand. */
interface Others {
  /** How many other replicas are alive. */
  readonly count: number
  /** The other replicas' calls per second, by limit. */
  readonly demand: ReadonlyMap<string, ReadonlyArray<number>>
}

export interface LimitDemand {
  /**
   * Writes this replica's calls per second and reads the other replicas' calls per second for the given limits, in one
   * statement.
   */
  readonly exchange: (ours: ReadonlyMap<string, number>, keys: ReadonlyArray<string>) => Effect.Effect<Others, SqlError>
  /** Deletes expired rows. */
  readonly sweep: Effect.Effect<void, SqlError>
}

/** Creates the demand exchange for a replica. */
export const make = (sql: SqlClient, replica: string, leaseMillis: number): LimitDemand => ({
  exchange: Effect.fnUntraced(function* (ours, keys) {
    const parameters = [replica, leaseMillis, [alive, ...ours.keys()], [0, ...ours.values()], [alive, ...keys]] as const
    const rows = yield* demands.read(sql.unsafe(exchange, parameters))
    const demand = new Map<string, Array<number>>()
    for (const { limitKey, perSecond } of rows) demand.set(limitKey, [...(demand.get(limitKey) ?? []), perSecond])
    return { count: demand.get(alive)?.length ?? 0, demand }
  }),
  sweep: Effect.asVoid(sql.unsafe(sweep))
})
