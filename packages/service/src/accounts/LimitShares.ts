/**
 * Shares rate limits among the replicas of a service. Each replica counts calls in its own memory against its share of
 * the limit, so a call never waits for the database. Every second, the replicas exchange their counts and redistribute
 * the limits. A replica that receives all of an account's calls gets that account's entire limit.
 *
 * A limit without recent calls is divided evenly, and no replica ever has less than an equal share. Together, the
 * replicas therefore stay within the limit, except right after calls move from one replica to another: until the next
 * exchange, N replicas together may use up to `2 - 1/N` times the limit.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as Series from "../metrics/series.js"
import * as LimitDemand from "../store/limits/rateLimitDemand.js"
import { unavailable } from "../store/sql/storeUnavailable.js"
import type { StoreUnavailable } from "../store/StoreError.js"
import { divide } from "./divideLimit.js"

export interface LimitShares {
  /** Counts a call against a limit, even if the call is refused. */
  readonly count: (key: string, perSecond: number) => void
  /** The share of a limit that this process may use, greater than 0 and at most 1. */
  readonly partOf: (key: string) => number
}

/** The shares of a process that has no replicas: every limit is granted in full. */
export const unshared: LimitShares = { count: () => undefined, partOf: () => 1 }

/** This process's shares of the limits (default: `unshared`). */
export const LimitShares: Context.Reference<LimitShares> = Context.Reference<LimitShares>(
  "@geoswap/service/LimitShares",
  {
    defaultValue: () => unshared
  }
)

export interface Options {
  /**
   * How long the other replicas rely on a replica's counts after the counts were written, and how long a limit is
   * tracked after its last call (default: 5 s).
   */
  readonly leaseMillis?: number | undefined
}

/** The limit shares of a process that has replicas. */
export interface Shared extends LimitShares {
  /**
   * Writes this replica's counts and reads the other replicas' counts. Keeps the current shares if the database fails.
   */
  readonly exchange: Effect.Effect<void, StoreUnavailable>
  /** The number of replicas, including this one. */
  readonly replicas: () => number
  /** Seconds since the last exchange. */
  readonly age: () => number
}

/** This replica's use of one limit. */
interface Use {
  readonly perSecond: number
  /** Calls since the last exchange. */
  calls: number
  calledAt: bigint
  /** The estimated demand, in calls per second. It falls by at most half at each exchange. */
  demand: number
  /**
   * `granted` is the share that was computed at the last exchange, and `part` is the share in use. Both are `undefined`
   * until the first exchange.
   */
  granted: number | undefined
  part: number | undefined
}

/**
 * The maximum number of limits to track, and the maximum number of limits per exchange. Replicas exchange counts only
 * for the most-used limits. All other limits are divided evenly.
 */
const maxKnown = 20_000
const maxExchanged = 1_000

/** How often the replicas exchange their counts. */
const exchangeMillis = 1_000

const nanosPerMilli = 1_000_000n
const sweepEvery = 60_000n * nanosPerMilli

/** Creates shares that are backed by a PostgreSQL table. Run `exchange` to update the shares. */
export const make = Effect.fnUntraced(function* ({ leaseMillis = 5_000 }: Options = {}): Effect.fn.Return<
  Shared,
  never,
  SqlClient.SqlClient
> {
  const rows = LimitDemand.make(yield* SqlClient.SqlClient, crypto.randomUUID(), leaseMillis)
  const clock = yield* Clock.Clock
  const now = () => clock.monotonicTimeNanosUnsafe()
  const uses = new Map<string, Use>()
  let replicas = 1
  let exchangedAt = now()
  let sweptAt: bigint | undefined

  const forget = (at: bigint): void => {
    for (const [key, { calledAt, calls }] of uses) {
      if (calls === 0 && at - calledAt > BigInt(leaseMillis) * nanosPerMilli) uses.delete(key)
    }
  }
  const busiest = (): ReadonlyArray<readonly [string, Use]> => {
    if (uses.size <= maxExchanged) return [...uses]
    const busyness = ({ calls, demand, perSecond }: Use) => Math.max(calls, demand) / perSecond
    return [...uses].toSorted(([, one], [, other]) => busyness(other) - busyness(one)).slice(0, maxExchanged)
  }

  const exchange = Effect.gen(function* () {
    const at = now()
    forget(at)
    // If two exchanges follow each other quickly, the time between them is too short to compute a rate per second.
    const seconds = Math.max(Number(at - exchangedAt) / 1e9, 0.1)
    const busy = busiest().map(([key, use]) => {
      const counted = use.calls
      return { key, use, counted, demand: Math.max(counted / seconds, use.demand / 2) }
    })
    const ours = new Map(busy.flatMap(({ counted, demand, key }) => (counted > 0 ? [[key, demand]] : [])))
    const others = yield* rows.exchange(
      ours,
      busy.map(({ key }) => key)
    )
    exchangedAt = at
    replicas = others.count + 1
    const exchanged = new Set(busy.map(({ use }) => use))
    for (const use of uses.values()) {
      if (exchanged.has(use)) continue
      use.calls = 0
      use.granted = undefined
      use.part = undefined
    }
    for (const { counted, demand, key, use } of busy) {
      use.calls -= counted
      use.demand = demand
      const granted = divide(use.perSecond, demand, others.demand.get(key) ?? [])
      // Use more than an equal share only after two exchanges, because at the first exchange, the other replicas may
      // not have written their counts yet.
      use.part = Math.max(1 / replicas, Math.min(granted, use.granted ?? 0))
      use.granted = granted
    }
    if (sweptAt === undefined || at - sweptAt >= sweepEvery) {
      yield* rows.sweep
      sweptAt = at
    }
  }).pipe(unavailable("share the rate limits"))

  return {
    count: (key, perSecond) => {
      const known = uses.get(key)
      if (known !== undefined) {
        known.calls++
        known.calledAt = now()
      } else if (uses.size < maxKnown) {
        uses.set(key, { perSecond, calls: 1, calledAt: now(), demand: 0, granted: undefined, part: undefined })
      }
    },
    partOf: (key) => uses.get(key)?.part ?? 1 / replicas,
    exchange,
    replicas: () => replicas,
    age: () => Number(now() - exchangedAt) / 1e9
  }
})

/** A layer that provides the shares. It exchanges counts every second until the scope closes. */
export const layer = () =>
  Layer.effect(
    LimitShares,
    Effect.gen(function* () {
      const shares = yield* make()
      // The replicas must know about each other before this process handles its first call.
      yield* shares.exchange
      const context = yield* Effect.context()
      Series.registerGauge(Series.limitReplicas({}), context, shares.replicas)
      Series.registerGauge(Series.limitExchangeAge({}), context, shares.age)
      // If the database is unavailable, the last shares remain in use.
      const round = Effect.catch(shares.exchange, ({ message }) => Effect.logDebug(message))
      const rounds = Effect.forever(Effect.andThen(Effect.sleep(exchangeMillis), round))
      yield* Effect.forkScoped(Effect.withTracerEnabled(rounds, false))
      return shares
    })
  )
