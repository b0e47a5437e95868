import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { createHash } from "node:crypto"
import { inspect } from "node:util"
import { isChosen } from "../../../../tooling/testing/matrix.js"
import * as Accounts from "../../src/accounts/Accounts.js"
import { Refusal } from "../../src/domain/Refusal.js"
import { type Account, type ApiKey, Store } from "../../src/store/Store.js"
import { StoreUnavailable } from "../../src/store/StoreError.js"

/** Accounts and keys in memory. The rest of the store is not used here, and fails if it is. */
const makeFixture = Effect.gen(function* () {
  const accounts = new Map<string, Account>()
  const keys = new Map<string, ApiKey>()
  const fixture = {
    keys,
    /** How often a key was read. */
    reads: 0,
    /** What happens before a read is answered, and before a revocation is. */
    beforeAnswer: Effect.void as Effect.Effect<void, StoreUnavailable>,
    afterRevoke: Effect.void as Effect.Effect<void, StoreUnavailable>
  }
  const layer = Layer.mock(Store, {
    batches: undefined as never,
    delegations: undefined as never,
    lanes: undefined as never,
    losses: undefined as never,
    spentGas: undefined as never,
    account: (name) =>
      Effect.sync(() => {
        const account = accounts.get(name) ?? { id: `account-${accounts.size + 1}`, name, createdAt: 0 }
        accounts.set(name, account)
        return account
      }),
    addApiKey: (key) =>
      Effect.sync(() => {
        const [account] = [...accounts.values()].filter(({ id }) => id === key.accountId)
        const added = { ...key, accountName: account?.name ?? "?", createdAt: 0 }
        keys.set(key.id, added)
        return added
      }),
    apiKeys: Effect.sync(() => [...keys.values()]),
    apiKey: (id) =>
      Effect.suspend(() => {
        fixture.reads++
        const key = Option.fromNullishOr(keys.get(id))
        return Effect.as(fixture.beforeAnswer, key)
      }),
    revokeApiKey: (id) =>
      Effect.suspend(() => {
        const key = keys.get(id)
        const revoked = key !== undefined && key.revokedAt === undefined
        if (revoked) keys.set(id, { ...key, revokedAt: 1 })
        return Effect.as(fixture.afterRevoke, revoked)
      })
  })
  const service = yield* Effect.provide(Accounts.Accounts, Layer.provide(Accounts.layer, layer))
  return { fixture, ...service }
})

type Fixture = Effect.Success<typeof makeFixture>

const created = ({ create }: Fixture, account = "Acme", label?: string) =>
  Effect.map(create({ account, ...(label === undefined ? {} : { label }) }), ({ apiKey, key }) => ({
    apiKey,
    key: Redacted.value(key)
  }))

const notAccepted =
  "The API key in the x-api-key header is not valid. Check that it is complete and has not been revoked."

const messageOf = (fixture: Fixture, value: string | undefined) =>
  Effect.map(Effect.flip(fixture.authenticate(value)), (error) => {
    expect(error).toBeInstanceOf(Refusal)
    expect(error).toMatchObject({ code: "UNAUTHORIZED", status: 401 })
    return error.message
  })

describe("Accounts.create", () => {
  it.effect("stores only the hash of a key's secret", () =>
    Effect.gen(function* () {
      const fixture = yield* makeFixture
      const { apiKey, key } = yield* created(fixture, "Acme", "the staging agent")
      expect(key).toMatch(/^gsk_[a-z0-9]{12}_[A-Za-z0-9_-]{43}$/)
      const [, id = "", secret = ""] = /^gsk_([^_]*)_(.*)$/.exec(key) ?? []
      expect(apiKey).toEqual({
        id,
        accountId: "account-1",
        accountName: "Acme",
        label: "the staging agent",
        createdAt: 0,
        hash: createHash("sha256").update(secret).digest("hex")
      })
      expect(Buffer.from(secret, "base64url")).toHaveLength(32)
      expect(inspect([...fixture.fixture.keys.values()], { depth: 9 })).not.toContain(secret)
    })
  )

  it.effect("logs only the id of a key", () =>
    Effect.gen(function* () {
      const { create } = yield* makeFixture
      const made = yield* create({ account: "Acme" })
      const secret = Redacted.value(made.key).slice(17)
      const shown = inspect(made, { depth: 9, showHidden: true }) + JSON.stringify(made)
      expect(shown).not.toContain(secret)
      expect(JSON.stringify(made.key)).toBe(`"<redacted:gsk_${made.apiKey.id}>"`)
    })
  )

  it.effect("gives keys with the same account name to one account, each with its own id and secret", () =>
    Effect.gen(function* () {
      const fixture = yield* makeFixture
      const made = yield* Effect.forEach(Array.from({ length: 300 }), () => created(fixture, "Café"))
      expect(new Set(made.map(({ apiKey }) => apiKey.id)).size).toBe(300)
      expect(new Set(made.map(({ key }) => key.slice(17))).size).toBe(300)
      // 3,600 characters of 36: each appears.
      expect(new Set(made.flatMap(({ apiKey }) => Array.from(apiKey.id))).size).toBe(36)
      yield* created(fixture, "Cafe\u0301")
      yield* created(fixture, "Other")
      const listed = yield* fixture.list
      expect(listed).toHaveLength(302)
      expect(new Set(listed.map(({ accountId }) => accountId)).size).toBe(2)
    })
  )

  const good = ["a", "Acme Inc. & Söhne", "日本", "x".repeat(64), "\u{1f511}".repeat(64), "a  b"]
  it.effect.each(good)("accepts the name %j", (name) =>
    Effect.gen(function* () {
      const { apiKey } = yield* created(yield* makeFixture, name, name)
      expect([apiKey.accountName, apiKey.label]).toEqual([name, name])
    })
  )

  const bad = [
    " ",
    " a",
    "a ",
    "x".repeat(65),
    "a\nb",
    "a\tb",
    "\0",
    "a\u200bb",
    "\u202ea",
    "\u3164",
    "\ud800",
    "\u00a0"
  ]
  it.effect.each(["", ...bad])("refuses the name %j", (name) =>
    Effect.gen(function* () {
      const fixture = yield* makeFixture
      const error = yield* Effect.flip(created(fixture, name))
      expect(error).toBeInstanceOf(Accounts.InvalidName)
      expect(error.message).toBe(
        "The account name must be 1 to 64 visible characters long, with no leading or trailing spaces."
      )
      expect(yield* fixture.list).toEqual([])
    })
  )

  it.effect.each(bad)("refuses the label %j", (label) =>
    Effect.gen(function* () {
      const fixture = yield* makeFixture
      expect((yield* Effect.flip(created(fixture, "Acme", label))).message).toContain("The label must be")
      expect(yield* fixture.list).toEqual([])
    })
  )

  it.effect("treats an empty label as none", () =>
    Effect.gen(function* () {
      const fixture = yield* makeFixture
      expect((yield* created(fixture)).apiKey.label).toBe("")
      expect((yield* created(fixture, "Acme", "")).apiKey.label).toBe("")
    })
  )
})

describe("Accounts.authenticate", () => {
  it.effect("returns the caller of a key", () =>
    Effect.gen(function* () {
      const fixture = yield* makeFixture
      yield* created(fixture, "First")
      const { apiKey, key } = yield* created(fixture, "Second")
      const caller = { accountId: "account-2", accountName: "Second", keyId: apiKey.id }
      expect(yield* fixture.authenticate(key)).toEqual(caller)
      expect(yield* fixture.authenticate(key)).toEqual(caller)
    })
  )

  it.effect("names the header to send if it is missing", () =>
    Effect.gen(function* () {
      const fixture = yield* makeFixture
      for (const value of [undefined, ""]) {
        expect(yield* messageOf(fixture, value)).toBe("Send your API key in the x-api-key header.")
      }
    })
  )

  it.effect("refuses a malformed key, an unknown key, a wrong secret and a revoked key with the same message", () =>
    Effect.gen(function* () {
      const fixture = yield* makeFixture
      const { apiKey, key } = yield* created(fixture)
      const other = yield* created(fixture)
      const gone = yield* created(fixture)
      yield* fixture.revoke(gone.apiKey.id)
      const unknown = `gsk_${"a".repeat(12)}_${key.slice(17)}`
      const mixed = `gsk_${apiKey.id}_${other.key.slice(17)}`
      // The stored hash is not a secret, nor are the zeros that an unknown key is compared with.
      const asHash = `gsk_${apiKey.id}_${apiKey.hash.slice(0, 43)}`
      const shapes = [
        " ",
        "gsk",
        "gsk__",
        key.slice(4),
        `${key}A`,
        key.slice(0, -1),
        ` ${key}`,
        `${key}\n`,
        `Bearer ${key}`
      ]
      const more = [
        key.toUpperCase(),
        key.replace("gsk", "GSK"),
        `${key}, ${key}`,
        `gsk_${"0".repeat(12)}_${"0".repeat(43)}`
      ]
      for (const value of [...shapes, ...more, unknown, mixed, asHash, gone.key, "x".repeat(1_000_000)]) {
        expect(yield* messageOf(fixture, value)).toBe(notAccepted)
      }
      expect(yield* fixture.authenticate(key)).toMatchObject({ keyId: apiKey.id })
    })
  )

  it.effect("refuses a key with any character of its secret changed, even while the key is cached", () =>
    Effect.gen(function* () {
      const fixture = yield* makeFixture
      const { key } = yield* created(fixture)
      yield* fixture.authenticate(key)
      const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
      for (let at = 17; at < key.length; at++) {
        for (const [column, other] of [...alphabet.replace(key.charAt(at), "")].entries()) {
          if (!isChosen(at, column, 9)) continue
          const changed = key.slice(0, at) + other + key.slice(at + 1)
          expect(yield* Effect.flip(fixture.authenticate(changed))).toBeInstanceOf(Refusal)
        }
      }
      expect(fixture.fixture.reads).toBe(1)
    })
  )

  it.effect("hashes an unknown secret once, whether or not the key exists or is cached", () =>
    Effect.gen(function* () {
      const fixture = yield* makeFixture
      const { key } = yield* created(fixture)
      const digest = crypto.subtle.digest.bind(crypto.subtle)
      let hashed = 0
      crypto.subtle.digest = (...input) => {
        hashed++
        return digest(...input)
      }
      yield* Effect.addFinalizer(() => Effect.sync(() => Reflect.deleteProperty(crypto.subtle, "digest")))
      const costOf = (value: string) =>
        Effect.map(Effect.exit(fixture.authenticate(value)), () => {
          const cost = hashed
          hashed = 0
          return cost
        })
      const wrong = key.slice(0, 20) + (key.charAt(20) === "A" ? "B" : "A") + key.slice(21)
      const unknown = `gsk_${"a".repeat(12)}_${key.slice(17)}`
      expect([yield* costOf(unknown), yield* costOf(wrong), yield* costOf(key)]).toEqual([1, 1, 1])
      expect([yield* costOf(key), yield* costOf(wrong), yield* costOf(unknown)]).toEqual([0, 1, 1])
    })
  )

  it.effect("reports that the store is unavailable instead of refusing the key", () =>
    Effect.gen(function* () {
      const fixture = yield* makeFixture
      const { key } = yield* created(fixture)
      fixture.fixture.beforeAnswer = Effect.fail(new StoreUnavailable({ message: "down" }))
      expect(yield* Effect.flip(fixture.authenticate(key))).toBeInstanceOf(StoreUnavailable)
    })
  )
})

describe("the cache of API keys", () => {
  it.effect("saves reads for ten seconds after the read", () =>
    Effect.gen(function* () {
      const fixture = yield* makeFixture
      const { key } = yield* created(fixture)
      for (let second = 0; second < 10; second++) {
        yield* fixture.authenticate(key)
        expect(fixture.fixture.reads).toBe(1)
        yield* TestClock.adjust("1 second")
      }
      yield* fixture.authenticate(key)
      expect(fixture.fixture.reads).toBe(2)
    })
  )

  it.effect("reads an id without a key once per second, no matter which secrets come with it", () =>
    Effect.gen(function* () {
      const fixture = yield* makeFixture
      const { apiKey, key } = yield* created(fixture)
      fixture.fixture.keys.delete(apiKey.id)
      for (const secret of [key.slice(17), "x".repeat(43), "y".repeat(43)]) {
        expect(yield* messageOf(fixture, `gsk_${apiKey.id}_${secret}`)).toBe(notAccepted)
      }
      expect(fixture.fixture.reads).toBe(1)
      fixture.fixture.keys.set(apiKey.id, apiKey)
      yield* TestClock.adjust("1 second")
      yield* fixture.authenticate(key)
      expect(fixture.fixture.reads).toBe(2)
    })
  )

  it.effect("reads a key once in ten seconds despite wrong secrets, and accepts the right one", () =>
    Effect.gen(function* () {
      const fixture = yield* makeFixture
      const { apiKey, key } = yield* created(fixture)
      const wrong = `gsk_${apiKey.id}_${"x".repeat(43)}`
      expect(yield* messageOf(fixture, wrong)).toBe(notAccepted)
      yield* TestClock.adjust("5 seconds")
      expect(yield* messageOf(fixture, wrong)).toBe(notAccepted)
      expect(yield* fixture.authenticate(key)).toMatchObject({ keyId: apiKey.id })
      expect(yield* messageOf(fixture, wrong)).toBe(notAccepted)
      expect(yield* fixture.authenticate(key)).toMatchObject({ keyId: apiKey.id })
      expect(fixture.fixture.reads).toBe(1)
      // Ten seconds from the read, not from the first accepted secret.
      fixture.fixture.keys.set(apiKey.id, { ...apiKey, revokedAt: 1 })
      yield* TestClock.adjust("5 seconds")
      expect(yield* messageOf(fixture, key)).toBe(notAccepted)
      expect(fixture.fixture.reads).toBe(2)
    })
  )

  it.effect("keeps valid keys while any number of unknown ids are sent", () =>
    Effect.gen(function* () {
      const fixture = yield* makeFixture
      const { key } = yield* created(fixture)
      yield* fixture.authenticate(key)
      const unknown = Array.from(
        { length: 10_050 },
        (_, number) => `gsk_${String(number).padStart(12, "a")}_${"x".repeat(43)}`
      )
      const accepted = yield* Effect.filter(
        unknown,
        (one) => Effect.map(Effect.flip(fixture.authenticate(one)), (error) => !(error instanceof Refusal)),
        { concurrency: 64 }
      )
      expect(accepted).toEqual([])
      const { reads } = fixture.fixture
      expect(reads).toBe(10_051)
      yield* fixture.authenticate(key)
      expect(fixture.fixture.reads).toBe(reads)
    })
  )

  it.effect("hides a revocation by another process for at most ten seconds", () =>
    Effect.gen(function* () {
      const fixture = yield* makeFixture
      const { apiKey, key } = yield* created(fixture)
      yield* fixture.authenticate(key)
      fixture.fixture.keys.set(apiKey.id, { ...apiKey, revokedAt: 1 })
      yield* TestClock.adjust("9999 millis")
      yield* fixture.authenticate(key)
      yield* TestClock.adjust("1 millis")
      expect(yield* messageOf(fixture, key)).toBe(notAccepted)
    })
  )

  it.effect("evicts a key at once when it is revoked in this process, and no other key", () =>
    Effect.gen(function* () {
      const fixture = yield* makeFixture
      const { apiKey, key } = yield* created(fixture)
      const other = yield* created(fixture)
      yield* fixture.authenticate(key)
      yield* fixture.authenticate(other.key)
      expect(yield* fixture.revoke(apiKey.id)).toBe(true)
      expect(yield* messageOf(fixture, key)).toBe(notAccepted)
      expect(yield* fixture.revoke(apiKey.id)).toBe(false)
      expect(yield* fixture.revoke("unknown")).toBe(false)
      yield* fixture.authenticate(other.key)
      expect(fixture.fixture.reads).toBe(3)
    })
  )

  it.effect("evicts a key even if the store did not confirm its revocation", () =>
    Effect.gen(function* () {
      const fixture = yield* makeFixture
      const { apiKey, key } = yield* created(fixture)
      yield* fixture.authenticate(key)
      fixture.fixture.afterRevoke = Effect.fail(new StoreUnavailable({ message: "the connection broke" }))
      expect(yield* Effect.flip(fixture.revoke(apiKey.id))).toBeInstanceOf(StoreUnavailable)
      expect(yield* messageOf(fixture, key)).toBe(notAccepted)
    })
  )

  it.effect("does not cache a key that was read before a revocation and returned after it", () =>
    Effect.gen(function* () {
      const fixture = yield* makeFixture
      const { apiKey, key } = yield* created(fixture)
      const answer = yield* Deferred.make<void>()
      fixture.fixture.beforeAnswer = Deferred.await(answer)
      const underWay = yield* Effect.forkChild(fixture.authenticate(key), { startImmediately: true })
      yield* fixture.revoke(apiKey.id)
      yield* Deferred.succeed(answer, undefined)
      yield* Fiber.join(underWay)
      expect(yield* messageOf(fixture, key)).toBe(notAccepted)
    })
  )

  it.effect("keeps at most ten thousand keys, the newest", () =>
    Effect.gen(function* () {
      const fixture = yield* makeFixture
      const { apiKey, key } = yield* created(fixture)
      // All keys have one secret.
      const keyOf = (number: number) => {
        const id = String(number).padStart(12, "0")
        fixture.fixture.keys.set(id, { ...apiKey, id })
        return `gsk_${id}_${key.slice(17)}`
      }
      const [first, second, ...more] = Array.from({ length: 10_001 }, (_, number) => keyOf(number))
      for (const one of [first, second]) yield* fixture.authenticate(one)
      yield* Effect.forEach(more, (one) => fixture.authenticate(one), { concurrency: 64 })
      expect(fixture.fixture.reads).toBe(10_001)
      yield* fixture.authenticate(second)
      expect(fixture.fixture.reads).toBe(10_001)
      yield* fixture.authenticate(first)
      expect(fixture.fixture.reads).toBe(10_002)
    })
  )
})
