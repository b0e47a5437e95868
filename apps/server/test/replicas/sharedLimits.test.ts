import { describe, it } from "@effect/vitest"
import { LimitShares, RateLimits, SqlStore } from "@geoswap/service"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import * as Postgres from "../../src/storage/Postgres.js"
import { until } from "../stack/fixture.js"
import { freePort } from "../stack/freePort.js"
import { databaseAt, programs, shared } from "../stack/postgres/cluster.js"
import { wire } from "../stack/postgres/proxy.js"
import { makeApiKeys } from "../stack/stack.js"
import { ask, site } from "../web/fixture.js"

/** 12 calls per second, with a burst of 24. */
const quote = { perSecond: 12, burst: 24 }
const limits = {
  quote,
  indicative: quote,
  delegation: quote,
  build: quote,
  submit: quote,
  changeDelegation: quote,
  status: quote,
  chains: quote,
  heldPerAccount: 1
}

/** A replica that exchanges on command. Its rows outlive any test, unless a shorter time is given. */
const replica = Effect.fnUntraced(function* (url: string, leaseMillis?: number) {
  const client = Postgres.layer({ url: Redacted.make(url), connections: 2 })
  const context = yield* Layer.build(Layer.fresh(SqlStore.layer.pipe(Layer.provideMerge(client))))
  const shares = yield* Effect.provideService(
    LimitShares.make({ leaseMillis: leaseMillis ?? 3_600_000 }),
    SqlClient.SqlClient,
    Context.get(context, SqlClient.SqlClient)
  )
  const { take } = RateLimits.make(limits, shares)
  /** How many of that many calls are allowed. */
  const calls = (count: number, account = "ada") =>
    Effect.map(
      Effect.forEach(Array.from({ length: count }), () => Effect.exit(take(account, "quote"))),
      (exits) => exits.filter(Exit.isSuccess).length
    )
  return { ...shares, calls }
})
type Replica = Effect.Success<ReturnType<typeof replica>>

/** Advances the clock by a second, in which all replicas exchange. */
const second = (replicas: ReadonlyArray<Replica>) =>
  Effect.andThen(
    TestClock.adjust("1 second"),
    Effect.forEach(replicas, ({ exchange }) => exchange, { discard: true })
  )

/** Replicas that know each other. */
const replicasAt = Effect.fnUntraced(function* (url: string, count: number) {
  const replicas = yield* Effect.forEach(Array.from({ length: count }), () => replica(url))
  for (const { exchange } of [...replicas, ...replicas]) yield* exchange
  expect(replicas.map(({ replicas }) => replicas())).toEqual(replicas.map(() => count))
  return replicas
})

const tenSeconds = Array.from({ length: 10 }, (_, index) => index)
const sumOf = (counts: ReadonlyArray<number>) => counts.reduce((sum, count) => sum + count, 0)

describe.skipIf(programs === undefined)("replicas on one PostgreSQL", () => {
  const postgres = shared()
  const newDatabase = Effect.promise(() => postgres().newDatabase())

  it.effect("together allow as many calls as one of them would", () =>
    Effect.gen(function* () {
      const replicas = yield* replicasAt(yield* newDatabase, 3)
      const flood = Effect.map(
        Effect.forEach(replicas, ({ calls }) => calls(50)),
        sumOf
      )
      expect(yield* flood).toBe(quote.burst)
      for (const _ of tenSeconds) {
        yield* second(replicas)
        expect(yield* flood).toBe(quote.perSecond)
      }
    })
  )

  it.effect("give the whole limit to the replica that gets all calls, regardless of its clock", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2099, 0))
      const replicas = yield* replicasAt(yield* newDatabase, 3)
      const [busy, ...others] = replicas
      if (busy === undefined) return expect.unreachable()
      const passed = [yield* busy.calls(50)]
      for (const _ of tenSeconds) {
        yield* second(replicas)
        passed.push(yield* busy.calls(50))
      }
      // Until the second exchange it has an equal share, and then also what it could not use before.
      expect(passed.slice(0, 3)).toEqual([quote.burst / 3, quote.perSecond / 3, quote.burst])
      expect(passed.slice(3)).toEqual(passed.slice(3).map(() => quote.perSecond))
      // The usage of one account does not affect another one.
      for (const other of others) expect(yield* other.calls(50, "grace")).toBe(quote.burst / 3)
    })
  )

  it.effect("divide a limit by demand, so that a replica with few calls keeps them and the other gets the rest", () =>
    Effect.gen(function* () {
      const replicas = yield* replicasAt(yield* newDatabase, 2)
      const [modest, greedy] = replicas
      if (modest === undefined || greedy === undefined) return expect.unreachable()
      for (const _ of tenSeconds) {
        yield* modest.calls(3)
        yield* greedy.calls(500)
        yield* second(replicas)
      }
      for (const _ of tenSeconds) {
        expect(yield* modest.calls(3)).toBe(3)
        expect(yield* greedy.calls(500)).toBe(9)
        yield* second(replicas)
      }
    })
  )

  it.effect("take over the share of a killed replica after its lease expires", () =>
    Effect.gen(function* () {
      const url = yield* newDatabase
      const survivor = yield* replica(url)
      const killed = yield* replica(url, 5_000)
      yield* killed.calls(50)
      yield* killed.exchange
      yield* survivor.exchange
      expect(survivor.replicas()).toBe(2)
      expect(yield* survivor.calls(50)).toBe(quote.burst / 2)
      yield* Effect.promise(() =>
        until(async () => {
          await Effect.runPromise(survivor.exchange)
          return survivor.replicas() === 1
        })
      )
      expect(yield* survivor.calls(50)).toBe(quote.burst / 2)
    })
  )

  it.effect("keep their last shares without the database, and exchange again when it is back", () =>
    Effect.gen(function* () {
      const url = yield* newDatabase
      const way = yield* wire(postgres().port)
      const [far, near] = [yield* replica(way.through(url)), yield* replica(url)]
      for (const { exchange } of [far, near, far]) yield* exchange
      yield* far.calls(50)
      yield* second([far, near])
      yield* second([far, near])
      expect(far.partOf("account:quote:ada")).toBe(1)
      way.cut()
      yield* TestClock.adjust("1 second")
      expect(yield* Effect.flip(far.exchange)).toMatchObject({ _tag: "StoreUnavailable" })
      expect(far.partOf("account:quote:ada")).toBe(1)
      expect(far.partOf("account:quote:grace")).toBe(1 / 2)
      expect(yield* far.calls(50)).toBe(quote.burst)
      way.mend()
      yield* near.calls(50)
      yield* second([near, far])
      expect(far.partOf("account:quote:ada")).toBe(1 / 2)
    })
  )

  it.effect("delete the rows of stopped replicas", () =>
    Effect.gen(function* () {
      const url = yield* newDatabase
      const gone = yield* replica(url, 1)
      yield* gone.calls(1)
      yield* gone.exchange
      const survivor = yield* replica(url)
      yield* survivor.exchange
      const rows = yield* Effect.promise(() => postgres().query(url, "SELECT limit_key FROM limit_demand"))
      expect(rows).toEqual([{ limit_key: "" }])
    })
  )

  const few = { perSecond: 0.001, burst: 30 }

  it.live("share the limits of accounts and of all visitors", () =>
    Effect.gen(function* () {
      const url = yield* newDatabase
      const [first, second] = yield* makeApiKeys(databaseAt(url))
      const metrics: Array<number> = []
      const servers = yield* Effect.forEach([1, 2, 3], () =>
        Effect.gen(function* () {
          const port = yield* freePort
          metrics.push(port)
          const web = { limits: { chains: few, total: { chains: few } } }
          return yield* site(web, { admin: { port }, limits: { chains: few } }, undefined, databaseAt(url))
        })
      )
      const known = (port: number) =>
        Effect.map(ask({ url: `http://127.0.0.1:${port}` }, "/metrics"), ({ text }) =>
          /^geoswap_limit_replicas 3$/m.test(text)
        )
      for (const port of metrics) yield* Effect.promise(() => until(() => Effect.runPromise(known(port))))

      /** How many of that many calls are allowed. */
      const calls = (count: number, { url }: { readonly url: string }, path: string, headers: Record<string, string>) =>
        Effect.map(
          Effect.forEach(Array.from({ length: count }), () => ask({ url }, path, { headers })),
          (answers) => answers.filter(({ status }) => status === 200).length
        )
      const all = (path: string, headers: Record<string, string>) =>
        Effect.map(
          Effect.forEach(servers, (server) => calls(31, server, path, headers), { concurrency: "unbounded" }),
          sumOf
        )
      // An exchange in between may give a replica that is ahead what another has not used yet.
      const together = yield* all("/swap/chains", { "x-api-key": first })
      expect(together).toBeGreaterThanOrEqual(few.burst)
      expect(together).toBeLessThanOrEqual(few.burst * 1.5)
      const visitors = yield* all("/web/api/swap/chains", { "sec-fetch-site": "same-origin" })
      expect(visitors).toBeGreaterThanOrEqual(few.burst)
      expect(visitors).toBeLessThanOrEqual(few.burst * 1.5)

      const [only] = servers
      if (only === undefined) return expect.unreachable()
      let passed = 0
      yield* Effect.promise(() =>
        until(async () => {
          passed += await Effect.runPromise(calls(5, only, "/swap/chains", { "x-api-key": second }))
          return passed >= few.burst
        })
      )
      expect(passed).toBe(few.burst)
      expect(yield* calls(5, only, "/swap/chains", { "x-api-key": second })).toBe(0)
    })
  )
})
