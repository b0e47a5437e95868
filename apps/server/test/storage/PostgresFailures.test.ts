import { describe, expect, it } from "@effect/vitest"
import { SqlStore, Store } from "@geoswap/service"
import { StoreFixture } from "@geoswap/service/testing"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import * as Postgres from "../../src/storage/Postgres.js"
import { type Cluster, guarded, programs, stoppable } from "../stack/postgres/cluster.js"
import { wire } from "../stack/postgres/proxy.js"

const { order, plenty, underWay, accept } = StoreFixture

/** A client on a URL, until the scope closes. */
const clientOf = (url: string, connections?: number) =>
  Effect.map(Layer.build(Layer.fresh(Postgres.layer({ url: Redacted.make(url), connections }))), (context) =>
    Context.get(context, SqlClient.SqlClient)
  )

/** The result of an effect, and how many milliseconds it took. */
const timed = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const begin = yield* Clock.currentTimeMillis
  const result = yield* Effect.result(effect)
  return { result, millis: (yield* Clock.currentTimeMillis) - begin }
})

/** The settings of every session. */
const session = ["on", "read committed", "10s", "8s", "5s"]
const sessionOf = (sql: SqlClient.SqlClient) =>
  Effect.map(
    Effect.forEach(
      [
        "synchronous_commit",
        "default_transaction_isolation",
        "statement_timeout",
        "lock_timeout",
        "idle_in_transaction_session_timeout"
      ],
      (name) => sql.unsafe<Record<string, string>>(`SHOW ${name}`)
    ),
    (shown) => shown.flatMap(([row]) => Object.values(row ?? {}))
  )

const failed = { _tag: "Failure", failure: { _tag: "SqlError", reason: { _tag: "ConnectionError" } } }

describe.skipIf(programs === undefined)("PostgreSQL client", () => {
  const postgres = stoppable()
  const newDatabase = Effect.promise(() => postgres().newDatabase())
  const newSchema = Effect.promise(() => postgres().newSchema())

  const addresses: ReadonlyArray<readonly [string, (cluster: Cluster) => string, RegExp]> = [
    [
      "a wrong password",
      ({ port }) => `postgres://${guarded.user}:open-up-91@127.0.0.1:${port}/postgres`,
      /rejected the user named in the URL \(28P01\)\. Check the name and the password\.$/
    ],
    [
      "an unknown user",
      ({ port }) => `postgres://unknown:open-up-91@127.0.0.1:${port}/postgres`,
      /rejected the user named in the URL \(28000\)\. Check the name and the password\.$/
    ],
    [
      "an unknown database",
      ({ port }) => `postgres://${guarded.user}:${guarded.password}@127.0.0.1:${port}/nowhere`,
      /does not have the database named in the URL \(3D000\)\. Create it, or use another name\.$/
    ],
    [
      "an unused port",
      () => "postgres://geoswap:open-up-91@127.0.0.1:1/postgres",
      /cannot be reached \(ECONNREFUSED\)\. Check the host and the port, and make sure that the server is running\.$/
    ],
    [
      "an unknown host",
      () => "postgres://geoswap:open-up-91@nowhere.invalid/postgres",
      /cannot be reached \(E[A-Z_]+\)\. Check the host and the port, and make sure that the server is running\.$/
    ],
    ["no scheme", () => "geoswap:open-up-91@127.0.0.1", /is invalid: expected postgres:\/\//],
    ["another scheme", () => "mysql://geoswap:open-up-91@127.0.0.1/db", /is invalid: expected postgres:/],
    ["no host", () => "postgres://", /is invalid: expected postgres:/]
  ]
  it.live.each(addresses)(
    "fails the start with a reason and without the password if the URL has %s",
    ([, url, words]) =>
      Effect.gen(function* () {
        const exit = yield* Effect.exit(clientOf(url(postgres())))
        if (exit._tag === "Success") return expect.unreachable()
        const error = exit.cause.reasons.find(Cause.isFailReason)?.error
        expect(error?._tag).toBe("PostgresError")
        expect(error?.message).toMatch(words)
        const all = `${Cause.pretty(exit.cause)} ${JSON.stringify(exit)} ${String(error?.cause)}`
        expect(all).not.toMatch(/open-up-91|sesame-7f3a/)
      })
  )

  it.live("connects with the right password", () =>
    Effect.gen(function* () {
      const sql = yield* clientOf(
        `postgres://${guarded.user}:${guarded.password}@127.0.0.1:${postgres().port}/postgres`
      )
      expect(yield* sql`SELECT current_user AS name`).toEqual([{ name: guarded.user }])
    })
  )

  it.live("requires commits on disk and limits waiting times", () =>
    Effect.gen(function* () {
      const sql = yield* clientOf(yield* newDatabase)
      expect(yield* sessionOf(sql)).toEqual(session)
    })
  )

  it.live.each([
    ["another setting", "-c search_path=elsewhere"],
    ["another setting in the long form", "--search-path=elsewhere"],
    ["one of ours in a form that only the database understands", "-c synchronous\\_commit=off -c search_path=elsewhere"]
  ] as const)("keeps its own settings if the options of the URL contain %s", ([, options]) =>
    Effect.gen(function* () {
      const url = yield* newDatabase
      // Otherwise the defaults of the database would hide that our settings are missing.
      const off = `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = off`
      yield* Effect.promise(() => postgres().query(url, off))
      const sql = yield* clientOf(`${url}?options=${encodeURIComponent(options)}&application_name=mine`)
      expect(yield* sessionOf(sql)).toEqual(session)
      expect(yield* sql`SHOW search_path`).toEqual([{ search_path: "elsewhere" }])
      expect(yield* sql`SHOW application_name`).toEqual([{ application_name: "mine" }])
    })
  )

  it.live.each([
    ["options=-c%20synchronous_commit%3Doff", "synchronous_commit"],
    ["options=-csynchronous_commit%3Doff", "synchronous_commit"],
    ["options=--SYNCHRONOUS-COMMIT%3Doff", "synchronous_commit"],
    ["options=-c+geqo%3Doff+-c+default_transaction_isolation%3Dserializable", "default_transaction_isolation"],
    ["options=-c%20lock_timeout%3D0", "lock_timeout"],
    ["statement_timeout=0", "statement_timeout"],
    ["query_timeout=1&idle_in_transaction_session_timeout=0", "idle_in_transaction_session_timeout and query_timeout"]
  ])("refuses a URL with %s without printing it", ([query, named]) =>
    Effect.gen(function* () {
      const address = `postgres://geoswap:open-up-91@127.0.0.1:${postgres().port}/postgres?${query}`
      const error = yield* Effect.flip(clientOf(address))
      expect(error).toMatchObject({
        _tag: "PostgresError",
        message: `DATABASE_URL sets ${named}, which geoswap-server sets itself. Remove ${named} from the URL's query string.`
      })
      expect(JSON.stringify(error)).not.toMatch(/open-up-91|127\.0\.0\.1/)
    })
  )

  it.live("fails a transaction whose commit was a rollback", () =>
    Effect.gen(function* () {
      const sql = yield* clientOf(yield* newSchema)
      yield* sql`CREATE TABLE kept (id BIGINT PRIMARY KEY)`
      const ignoring = sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`INSERT INTO kept (id) VALUES (1)`
          yield* Effect.ignore(sql`INSERT INTO kept (id) VALUES (1)`)
        })
      )
      expect((yield* timed(ignoring)).result).toMatchObject(failed)
      expect(yield* sql`SELECT id FROM kept`).toEqual([])
      yield* sql.withTransaction(sql`INSERT INTO kept (id) VALUES (2)`)
      expect(yield* sql`SELECT id FROM kept`).toHaveLength(1)
    })
  )

  // Each of these waits for several seconds, with its own connections.
  describe("without an answer", { concurrent: true }, () => {
    it.live("fails after five seconds if all server connections are taken, and works again when one is free", () =>
      Effect.gen(function* () {
        const sql = yield* clientOf(yield* newSchema, 2)
        const done = yield* Deferred.make<void>()
        const reserved = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const taken = yield* Effect.forkChild(
          Effect.forEach(
            reserved,
            (has) =>
              sql.reserve.pipe(
                Effect.andThen(Deferred.succeed(has, undefined)),
                Effect.andThen(Deferred.await(done)),
                Effect.scoped
              ),
            { concurrency: "unbounded" }
          )
        )
        yield* Effect.forEach(reserved, Deferred.await)
        const { millis, result } = yield* timed(sql`SELECT 1`)
        expect(result).toMatchObject(failed)
        expect(millis).toBeGreaterThan(4_500)
        // Before a statement times out, which takes 12 seconds.
        expect(millis).toBeLessThan(11_000)
        const waiting = yield* Effect.forkChild(sql`SELECT 1 AS one`)
        yield* Deferred.succeed(done, undefined)
        yield* Fiber.join(taken)
        expect(yield* Fiber.join(waiting)).toEqual([{ one: 1 }])
      })
    )

    it.live("unblocks others five seconds after a process stops in the middle of a transaction", () =>
      Effect.gen(function* () {
        const url = yield* newSchema
        const [stopped, other] = [yield* clientOf(url), yield* clientOf(url)]
        const lock = (sql: SqlClient.SqlClient) => sql`SELECT pg_advisory_xact_lock(7)`
        const [has, hasOther] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const begin = yield* Clock.currentTimeMillis
        const holding = yield* Effect.forkChild(
          timed(
            stopped.withTransaction(
              Effect.gen(function* () {
                yield* lock(stopped)
                yield* Deferred.succeed(has, undefined)
                yield* Deferred.await(hasOther)
                yield* stopped`SELECT 1`
              })
            )
          )
        )
        yield* Deferred.await(has)
        // It would fail after 8 seconds without the lock.
        yield* other.withTransaction(lock(other))
        expect((yield* Clock.currentTimeMillis) - begin).toBeGreaterThanOrEqual(5_000)
        yield* Deferred.succeed(hasOther, undefined)
        // It notices when it resumes, and its next transaction has a working connection.
        expect((yield* Fiber.join(holding)).result._tag).toBe("Failure")
        yield* stopped.withTransaction(lock(stopped))
      })
    )

    // The limit is 12 seconds; the rest is for a busy machine.
    const inTime = 30_000

    const stoppedBackend = Effect.gen(function* () {
      const sql = yield* clientOf(yield* newSchema, 4)
      const [backend] = yield* sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`
      if (backend === undefined) return expect.unreachable()
      const { millis, result } = yield* Effect.acquireUseRelease(
        Effect.sync(() => process.kill(backend.pid, "SIGSTOP")),
        () => timed(sql`SELECT 1`),
        () => Effect.sync(() => process.kill(backend.pid, "SIGCONT"))
      )
      expect(result).toMatchObject(failed)
      expect(millis).toBeLessThan(inTime)
      expect(yield* sql`SELECT 1 AS one`).toEqual([{ one: 1 }])
    })

    /** Neither existing nor new connections are answered. */
    const silentDatabase = Effect.gen(function* () {
      const way = yield* wire(postgres().port)
      const sql = yield* clientOf(way.through(yield* newSchema), 4)
      yield* sql`SELECT 1`
      way.silence(true)
      const answers = yield* Effect.all([timed(sql`SELECT 1`), timed(sql`SELECT 1`)], { concurrency: "unbounded" })
      for (const { millis, result } of answers) {
        expect(result).toMatchObject(failed)
        expect(millis).toBeLessThan(inTime)
      }
      way.silence(false)
      expect(yield* sql`SELECT 1 AS one`).toEqual([{ one: 1 }])
    })

    it.live("times out if the database does not answer, and works with the next connection", () =>
      Effect.all([stoppedBackend, silentDatabase], { concurrency: "unbounded", discard: true })
    )

    it.live("reports an unknown outcome, and not a wrong one, if the connection is lost during a commit", () =>
      Effect.gen(function* () {
        const url = yield* newSchema
        const way = yield* wire(postgres().port)
        const storeAt = (address: string) =>
          Effect.map(
            Layer.build(
              Layer.fresh(
                SqlStore.layer.pipe(Layer.provide(Postgres.layer({ url: Redacted.make(address), connections: 2 })))
              )
            ),
            (context) => Context.get(context, Store.Store)
          )
        const [cutOff, other] = [yield* storeAt(way.through(url)), yield* storeAt(url)]
        // A commit takes four seconds, which is long enough to lose the connection in the meantime on a busy machine.
        yield* Effect.promise(() =>
          postgres().query(
            url,
            `CREATE FUNCTION slow () RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(4); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON swaps DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW WHEN (NEW.id = 'swap-1') EXECUTE FUNCTION slow()`
          )
        )
        const accepting = yield* Effect.forkChild(
          Effect.forEach([1, 2, 3], (number) => Effect.result(accept(cutOff, order(number), plenty)), {
            concurrency: "unbounded"
          })
        )
        const committing = "SELECT 1 FROM pg_stat_activity WHERE query = 'COMMIT' AND state = 'active'"
        yield* Effect.promise(() => postgres().query(url, committing)).pipe(
          Effect.flatMap((rows) => (rows.length === 1 ? Effect.void : Effect.fail("not yet"))),
          Effect.retry(Schedule.spaced(20))
        )
        way.cut()
        for (const result of yield* Fiber.join(accepting)) {
          expect(result).toMatchObject({ _tag: "Failure", failure: { _tag: "StoreUnavailable" } })
        }
        // The group was committed after all. Each submission finds its swap, and nothing was written twice.
        for (const number of [1, 2, 3]) {
          const again = yield* accept(other, order(number, { id: `again-${number}` }), plenty)
          expect(again).toMatchObject({ _tag: "Existing", swap: { id: `swap-${number}` } })
        }
        expect(yield* other.reserved).toMatchObject([{ amount: 12n }])
      })
    )

    it.live("closes at once if the database does not answer", () =>
      Effect.gen(function* () {
        const way = yield* wire(postgres().port)
        const url = way.through(yield* newSchema)
        const use = Effect.gen(function* () {
          const sql = yield* clientOf(url)
          yield* sql`SELECT 1`
          way.silence(true)
        })
        const { millis } = yield* timed(Effect.scoped(use))
        // A statement would wait for 12 seconds.
        expect(millis).toBeLessThan(10_000)
      })
    )
  })

  it.live.each(["fast", "immediate"] as const)("survives a restart of the database (%s)", (mode) =>
    Effect.gen(function* () {
      const url = yield* newSchema
      const layer = Layer.fresh(SqlStore.layer.pipe(Layer.provideMerge(Postgres.layer({ url: Redacted.make(url) }))))
      const context = yield* Layer.build(layer)
      const [store, sql] = [Context.get(context, Store.Store), Context.get(context, SqlClient.SqlClient)]
      yield* accept(store, order(1), plenty)
      // Several idle connections.
      yield* Effect.all(
        Array.from({ length: 5 }, () => sql`SELECT pg_sleep(0.1)`),
        { concurrency: "unbounded" }
      )
      const inside = yield* Effect.forkChild(timed(sql.withTransaction(sql`SELECT pg_sleep(30)`)))
      const sleeping = "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(30)%' AND state = 'active'"
      yield* Effect.promise(() => postgres().query(url, sleeping)).pipe(
        Effect.flatMap((rows) => (rows.length === 1 ? Effect.void : Effect.fail("not yet"))),
        Effect.retry(Schedule.spaced(50))
      )
      yield* Effect.promise(() => postgres().stop(mode))
      expect((yield* Fiber.join(inside)).result).toMatchObject(failed)
      const away = yield* timed(store.swap("swap-1"))
      expect(away.result).toMatchObject({
        failure: {
          _tag: "StoreUnavailable",
          message: "Could not read the swap: the database cannot be reached; check its address and permissions."
        }
      })
      // At once, not after the connect timeout of 5 seconds.
      expect(away.millis).toBeLessThan(4_500)
      yield* Effect.promise(() => postgres().start())
      expect((yield* store.swap("swap-1"))._tag).toBe("Some")
      expect((yield* accept(store, order(1, { id: "again" }), plenty))._tag).toBe("Existing")
    })
  )

  it.live("keeps reading when a newer server adds columns", () =>
    Effect.gen(function* () {
      const url = yield* newSchema
      const layer = Layer.fresh(SqlStore.layer.pipe(Layer.provideMerge(Postgres.layer({ url: Redacted.make(url) }))))
      const context = yield* Layer.build(layer)
      const store = Context.get(context, Store.Store)
      const swap = yield* underWay(store)
      const read = Effect.all(
        Array.from({ length: 5 }, () => store.swap(swap.id)),
        { concurrency: "unbounded" }
      )
      const before = yield* read
      yield* Effect.promise(() => postgres().query(url, "ALTER TABLE swaps ADD COLUMN later TEXT"))
      expect(yield* read).toEqual(before)
      // A statement in a transaction may fail, but not twice on that connection.
      const accepted = yield* Effect.retry(accept(store, order(2), plenty), { times: 10 })
      expect(accepted._tag).toBe("Inserted")
      yield* store.claim({ owner: "another", leaseMillis: 1_000, limit: 1 })
    })
  )
})
