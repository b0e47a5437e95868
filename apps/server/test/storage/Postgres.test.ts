import { describe, expect, it } from "@effect/vitest"
import { SqlStore, Store } from "@geoswap/service"
import { StoreFixture, storeContract } from "@geoswap/service/testing"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import * as Postgres from "../../src/storage/Postgres.js"
import { programs } from "../stack/postgres/cluster.js"
import { isGenerated } from "./generatedCases.js"
import { sqlStoreContract } from "./sqlStoreContract.js"
import { storedBy } from "./sqlStoreContract/stored.js"
import { storeDatabases } from "./storeDatabases.js"

const { attempt, held, me, order, plenty, relayer, to, underWay, accept } = StoreFixture

describe.skipIf(programs === undefined)("PostgreSQL", () => {
  const { emptied, fresh, postgres } = storeDatabases()

  describe("a store", () => {
    const cases = storeContract(SqlStore.layer.pipe(Layer.provide(emptied)))
    for (const { name, run } of cases.filter((one) => !isGenerated(one))) it.effect(name, () => run)
  })

  sqlStoreContract("PostgreSQL", fresh)

  /** Runs an effect while another transaction holds a lock, which is released after the effect. */
  const whileLocked = <A, E>(sql: SqlClient.SqlClient, name: string, effect: Effect.Effect<A, E>) =>
    sql.withTransaction(
      Effect.andThen(
        sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`,
        Effect.promise(() => Effect.runPromise(effect))
      )
    )

  /** Waits until a session waits for an advisory lock. */
  const isWaiting = (sql: SqlClient.SqlClient) =>
    Effect.retry(
      Effect.flatMap(
        sql`SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
          WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`,
        (rows) => (rows.length > 0 ? Effect.void : Effect.fail("not yet"))
      ),
      Schedule.spaced(10)
    )

  it.live("sees a release that commits while an acceptance waits for its locks", () =>
    storedBy(fresh)((store, sql) =>
      Effect.gen(function* () {
        const swap = yield* underWay(store)
        const inventory = `output ${swap.destinationChain} vault ${swap.outputToken.toLowerCase()}`
        const locked = yield* Deferred.make<void>()
        // It commits in another transaction, after the statement that waits has started.
        const release = Effect.gen(function* () {
          yield* Deferred.succeed(locked, undefined)
          yield* isWaiting(sql)
          yield* store.change(to(swap, "settled", { block: 100n }))
        })
        const releasing = yield* Effect.forkChild(whileLocked(sql, inventory, release))
        yield* Effect.raceFirst(Deferred.await(locked), Fiber.join(releasing))
        const acceptance = yield* accept(store, order(2), { ...plenty, inventory: held(4n, 99n) })
        yield* Fiber.join(releasing)
        expect(acceptance).toStrictEqual({
          _tag: "Outdated",
          balanceSince: 0n,
          inventorySince: 100n
        })
        expect((yield* accept(store, order(2), { ...plenty, inventory: held(0n, 100n) }))._tag).toBe("output exceeded")
      })
    )
  )

  it.live("never deadlocks replicas that accept and release swaps of the same tokens", () =>
    storedBy(fresh)((store, sql) =>
      Effect.gen(function* () {
        const replica = yield* Effect.provide(
          Store.Store,
          SqlStore.layer.pipe(Layer.provide(Layer.succeed(SqlClient.SqlClient, sql)))
        )
        const tokens = ["0xa", "0xb", "0xc"]
        const swapOf = (number: number) =>
          order(number, { wallet: `0x${number % 5}`, outputToken: tokens[(number * 7) % 3] ?? "", destinationChain: 1 })
        const accepting = Array.from({ length: 300 }, (_, number) =>
          accept(number % 2 === 0 ? store : replica, swapOf(number), plenty)
        )
        const releasing = Effect.gen(function* () {
          const claimed = yield* replica.claim({ owner: me, leaseMillis: 60_000, limit: 20 })
          yield* Effect.forEach(claimed, (swap) => replica.change(to(swap, "settled")), { concurrency: "unbounded" })
        })
        const [acceptances] = yield* Effect.all(
          [Effect.all(accepting, { concurrency: "unbounded" }), Effect.repeat(releasing, { times: 5 })],
          { concurrency: "unbounded" }
        )
        expect(acceptances.every(({ _tag }) => _tag === "Inserted")).toBe(true)
        const open = yield* store.list({ open: true, limit: 1_000 })
        const reserved = yield* store.reserved
        expect(reserved.reduce((sum, { amount }) => sum + amount, 0n)).toBe(4n * BigInt(open.length))
      })
    )
  )

  const leases = [
    ["renewal", (store: Store.Store, ids: ReadonlyArray<string>) => store.renew(me, ids, 60_000)],
    ["release", (store: Store.Store, ids: ReadonlyArray<string>) => store.release(me, ids)]
  ] as const
  it.live.each(leases)("never deadlocks a batch and a %s of the leases of its swaps", ([, change]) =>
    Effect.gen(function* () {
      // Scans return the swaps in the order in which they were written, which is not the order of their ids. Without
      // indexes, statements look so expensive that PostgreSQL would compile each of them for seconds.
      const scans = encodeURIComponent("-c enable_indexscan=off -c enable_bitmapscan=off -c jit=off")
      const url = Redacted.make(`${yield* Effect.promise(() => postgres().newDatabase())}?options=${scans}`)
      const context = yield* Layer.build(
        Layer.fresh(SqlStore.layer.pipe(Layer.provideMerge(Postgres.layer({ url, waitMillis: 60_000 }))))
      )
      const [store, sql] = [Context.get(context, Store.Store), Context.get(context, SqlClient.SqlClient)]
      yield* store.nextNonce(31_337, relayer)
      const swaps = yield* Effect.forEach([3, 2, 1], (number) =>
        Effect.gen(function* () {
          yield* accept(store, order(number), plenty)
          const claimed = yield* store.claimOne({ id: `swap-${number}`, owner: me, leaseMillis: 60_000 })
          return yield* Effect.fromOption(claimed)
        })
      )
      // Both wait for the second swap. If one has locked the first swap and the other the third, they cannot continue.
      const [locked, waited] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holding = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.andThen(
            sql`SELECT id FROM swaps WHERE id = 'swap-2' FOR UPDATE`,
            Effect.andThen(Deferred.succeed(locked, undefined), Deferred.await(waited))
          )
        )
      )
      yield* Effect.raceFirst(Deferred.await(locked), Fiber.join(holding))
      const intent = { kind: "collect", chainId: 31_337, signer: relayer, attempt: attempt(1) } as const
      const items = swaps.map((swap) => to(swap, "origin_prepared"))
      const both = yield* Effect.forkChild(
        Effect.all(
          [
            Effect.result(Effect.asVoid(store.batches.write(items, intent))),
            Effect.result(
              Effect.asVoid(
                change(
                  store,
                  swaps.map(({ id }) => id)
                )
              )
            )
          ],
          { concurrency: "unbounded" }
        )
      )
      yield* Effect.retry(
        Effect.flatMap(
          sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          (rows) => (rows.length === 2 ? Effect.void : Effect.fail("not yet"))
        ),
        Schedule.spaced(10)
      )
      yield* Deferred.succeed(waited, undefined)
      yield* Fiber.join(holding)
      const [written, changed] = yield* Fiber.join(both)
      // A batch whose swaps were released first is refused. The database is never busy.
      if (Result.isFailure(written)) expect(written.failure._tag).toBe("Conflict")
      expect(changed).toMatchObject({ _tag: "Success" })
    })
  )
})
