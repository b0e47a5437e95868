import { describe, expect, it } from "@effect/vitest"
import { SwapSignals, SqlStore, Store } from "@geoswap/service"
import { StoreFixture } from "@geoswap/service/testing"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as Notifications from "../../src/storage/Notifications.js"
import * as Postgres from "../../src/storage/Postgres.js"
import * as Storage from "../../src/storage/Storage.js"
import { wakingClock } from "../stack/clock.js"
import { until } from "../stack/fixture.js"
import { databaseAt, programs, shared } from "../stack/postgres/cluster.js"
import { wire } from "../stack/postgres/proxy.js"

const { order, plenty, to, accept } = StoreFixture

/** Polls so rarely that it wakes no caller in a test. */
const never = 600_000

interface Server {
  readonly changes: SwapSignals.SwapSignals
  readonly store: Store.Store
}

// Most of these tests wait, each with its own database.
describe.skipIf(programs === undefined)("servers on one PostgreSQL", { concurrent: true }, () => {
  const postgres = shared()
  const newDatabase = Effect.promise(() => postgres().newDatabase())

  /** The storage of a server, with a separate connection to the database. */
  const serverOn = Effect.fnUntraced(function* (database: string, pollMillis: number = never) {
    const way = yield* wire(postgres().port)
    const url = Redacted.make(way.through(database))
    const layer = Notifications.layer({ url, pollMillis }).pipe(
      Layer.provideMerge(SqlStore.layer),
      Layer.provide(Postgres.layer({ url }))
    )
    const context = yield* Layer.build(Layer.fresh(layer))
    const server: Server = {
      changes: Context.get(context, SwapSignals.SwapSignals),
      store: Context.get(context, Store.Store)
    }
    return { ...server, way }
  })

  /** Starts waiting for a swap. Only the listener wakes it in a test that polls so rarely. */
  const waitAt = Effect.fnUntraced(function* ({ changes }: Server, swapId: string) {
    return yield* Effect.forkChild(yield* changes.subscribe(swapId))
  })

  /** Finishes a swap as a server does: stored first, then published. */
  const end = Effect.fnUntraced(function* ({ changes, store }: Server, number: number) {
    yield* accept(store, order(number), plenty)
    const [swap] = yield* store.claim({ owner: "worker-1", leaseMillis: 1_000, limit: 1 })
    if (swap === undefined) return expect.unreachable()
    const { id } = yield* store.change(to(swap, "settled"))
    yield* changes.publish(id)
  })

  /** The sessions that listen. */
  const listeners = (database: string, column = "pid") =>
    Effect.promise(() =>
      postgres().query(
        database,
        `SELECT ${column} FROM pg_stat_activity
          WHERE application_name = 'geoswap-server listener' AND datname = current_database()`
      )
    )

  /** Waits until all servers listen on new connections. */
  const listenAnew = (database: string, count: number, before: ReadonlySet<unknown>) =>
    listeners(database, "pid, query").pipe(
      Effect.andThen((now) => {
        const reconnected = now.filter(({ pid, query }) => !before.has(pid) && String(query).startsWith("LISTEN"))
        return reconnected.length === count ? Effect.void : Effect.fail("not yet")
      }),
      Effect.retry(Schedule.spaced(100))
    )

  const pidsOf = (database: string) =>
    Effect.map(listeners(database), (rows) => new Set<unknown>(rows.map(({ pid }) => pid)))

  it.live("wake only the callers that wait for the swap at another server", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const [first, second] = [yield* serverOn(database), yield* serverOn(database)]
      const waiting = yield* waitAt(second, "swap-1")
      const alone = yield* waitAt(second, "swap-2")
      const last = yield* waitAt(second, "swap-3")
      yield* end(first, 1)
      yield* Fiber.join(waiting)
      // In order: when the last caller is woken, all earlier ones are.
      yield* end(first, 3)
      yield* Fiber.join(last)
      expect(alone.pollUnsafe()).toBeUndefined()
      expect(yield* second.changes.awaited).toContain("swap-2")
    })
  )

  it.live("notify each other of 1,000 finished swaps at once", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const [first, second] = [yield* serverOn(database), yield* serverOn(database)]
      const ids = Array.from({ length: 1_000 }, () => crypto.randomUUID())
      const waiting = yield* Effect.forEach(ids, (id) => waitAt(second, id))
      yield* Effect.forEach(ids, first.changes.publish, { concurrency: "unbounded" })
      yield* Effect.forEach(waiting, Fiber.join)
    })
  )

  it.live("receive notifications again after the listener connection was terminated", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const [first, second] = [yield* serverOn(database), yield* serverOn(database)]
      const before = yield* pidsOf(database)
      expect(yield* listeners(database, "pg_terminate_backend(pid)")).toHaveLength(2)
      yield* listenAnew(database, 2, before)
      const waiting = yield* waitAt(second, "swap-1")
      yield* end(first, 1)
      yield* Fiber.join(waiting)
    })
  )

  it.live("find swaps that finished while the listener was disconnected", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const [first, second] = [yield* serverOn(database), yield* serverOn(database)]
      const waiting = yield* waitAt(second, "swap-1")
      second.way.cut()
      yield* end(first, 1)
      expect(waiting.pollUnsafe()).toBeUndefined()
      second.way.mend()
      yield* Fiber.join(waiting)
    })
  )

  it.live("find finished swaps by polling if notifications are lost", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const [first, second] = [yield* serverOn(database), yield* serverOn(database, 700)]
      second.way.deafen(true)
      const waiting = yield* waitAt(second, "swap-1")
      const other = yield* waitAt(second, "swap-2")
      yield* end(first, 1)
      yield* Fiber.join(waiting)
      // A poll may find the swap before its notification is sent.
      yield* Effect.promise(() => until(() => second.way.lost() > 0))
      expect(other.pollUnsafe()).toBeUndefined()
    })
  )

  it.live(
    "reconnect automatically if the listener connection dies silently",
    () =>
      Effect.gen(function* () {
        const database = yield* newDatabase
        const { clock, move } = yield* wakingClock
        const first = yield* serverOn(database)
        const second = yield* Effect.provideService(serverOn(database), Clock.Clock, clock)
        const waiting = yield* waitAt(second, "swap-1")
        const before = yield* pidsOf(database)
        // Open connections stay silent; new ones work.
        second.way.silence(true)
        second.way.renew()
        // The next heartbeat is due.
        move(10_000)
        yield* listenAnew(database, 1, before)
        yield* end(first, 1)
        yield* Fiber.join(waiting)
      }),
    240_000
  )

  it.live("refuse to start if LISTEN is accepted but notifications do not arrive", () =>
    Effect.gen(function* () {
      const way = yield* wire(postgres().port)
      way.deafen(true)
      const url = Redacted.make(way.through(yield* newDatabase))
      const error = yield* Effect.flip(Layer.build(Layer.fresh(Storage.layer({ kind: "postgres", url }))))
      expect(error).toMatchObject({
        _tag: "PostgresError",
        message:
          "The PostgreSQL server at DATABASE_URL accepts LISTEN but does not deliver notifications. This is typical of a pooler in transaction mode. Connect to the server directly, or to a pooler in session mode."
      })
      expect(way.lost()).toBe(1)
    })
  )

  it.live("stop in time if the database does not answer", () =>
    Effect.gen(function* () {
      const way = yield* wire(postgres().port)
      const scope = yield* Scope.make()
      yield* Layer.buildWithScope(Layer.fresh(Storage.layer(databaseAt(way.through(yield* newDatabase)))), scope)
      way.silence(true)
      const begin = yield* Clock.currentTimeMillis
      yield* Scope.close(scope, Exit.void)
      // Closing may take a second per connection. Without a limit, statements would wait for 12 seconds.
      expect((yield* Clock.currentTimeMillis) - begin).toBeLessThan(10_000)
    })
  )
})
