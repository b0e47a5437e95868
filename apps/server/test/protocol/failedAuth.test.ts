import { describe, it } from "@effect/vitest"
import { Accounts, SqlStore } from "@geoswap/service"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { randomBytes } from "node:crypto"
import { expect } from "vitest"
import * as Postgres from "../../src/storage/Postgres.js"
import { programs, shared } from "../stack/postgres/cluster.js"
import { makeApiKeys } from "../stack/stack.js"
import { ask, type Question, site, type Site } from "../web/fixture.js"

/** So slow that no permit is refilled during a test. */
const failedAuth = { perSecond: 0.001, burst: 3 }
const limits = { limits: { failedAuth } }

/** A well-formed key that the store does not have. */
const guess = () => ({
  "x-api-key": `gsk_${randomBytes(6).toString("hex")}_${randomBytes(32).toString("base64url")}`
})

/** The statuses of requests, one after the other. */
const statuses = (here: Site, questions: ReadonlyArray<Question>) =>
  Effect.forEach(questions, (question) => Effect.map(ask(here, "/swap/chains", question), ({ status }) => status))

const guesses = (count: number, more: Question = {}) =>
  Array.from({ length: count }, () => ({ ...more, headers: { ...guess(), ...more.headers } }))

describe("failed authentications", () => {
  it.live("do not block a valid key from the same address, even on its first use", () =>
    Effect.gen(function* () {
      const here = yield* site("none", limits)
      const [used, unused] = yield* makeApiKeys(here.database)
      const from = "127.0.0.2"
      const accepted = (key: string): Question => ({ from, headers: { "x-api-key": key } })
      expect(yield* statuses(here, [accepted(used), ...guesses(5, { from })])).toEqual([200, 401, 401, 401, 429, 429])
      expect(yield* statuses(here, [accepted(used), accepted(unused), ...guesses(1, { from })])).toEqual([
        200, 200, 429
      ])
    })
  )

  it.live("are counted by the address that trusted proxies report, and by the /64 prefix of IPv6", () =>
    Effect.gen(function* () {
      const via = (forwarded: string) => guesses(1, { headers: { "x-forwarded-for": forwarded } })
      const some = ["2001:db8::1", "2001:db8::2", "2001:db8:0:0:ffff::3", "2001:db8::4", "2001:db8:0:1::1"]
      const proxied = yield* site("none", { ...limits, listen: { host: "127.0.0.1", port: 0, trustedProxies: 1 } })
      expect(yield* statuses(proxied, some.flatMap(via))).toEqual([401, 401, 401, 429, 401])
      // Without a trusted proxy the header is ignored.
      const direct = yield* site("none", limits)
      expect(yield* statuses(direct, some.flatMap(via))).toEqual([401, 401, 401, 429, 429])
    })
  )
})

describe.skipIf(programs === undefined)("wrong keys on PostgreSQL", () => {
  const postgres = shared()

  it.live("leave database connections to others if 1,000 arrive at once, and a valid key among them is accepted", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => postgres().newDatabase())
      const client = Postgres.layer({ url: Redacted.make(url), connections: 10 })
      const layer = Accounts.layer.pipe(Layer.provide(SqlStore.layer), Layer.provide(client))
      const { authenticate, create } = Context.get(yield* Layer.build(Layer.fresh(layer)), Accounts.Accounts)
      const { apiKey, key } = yield* create({ account: "Ada" })
      const keys = Array.from({ length: 1_000 }, () => guess()["x-api-key"]).with(700, Redacted.value(key))
      const exits = yield* Effect.forEach(keys, (value) => Effect.exit(authenticate(value)), {
        concurrency: "unbounded"
      })
      expect(exits.filter(Exit.isSuccess).map(({ value }) => value.keyId)).toEqual([apiKey.id])
      const open = yield* Effect.promise(() =>
        postgres().query(
          url,
          "SELECT pid FROM pg_stat_activity WHERE application_name = 'geoswap-server' AND datname = current_database()"
        )
      )
      // Two that read, and the one that was there before.
      expect(open.length).toBeLessThanOrEqual(3)
    })
  )
})
