/** Accounts and their API keys: `gsk_<id>_<secret>`. Only a hash of the secret is stored. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Mac from "effect/crypto/Mac"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { remember } from "../concurrency/boundedMap.js"
import { parseAccountName } from "../domain/accountName.js"
import { type Refusal, refuse } from "../domain/Refusal.js"
import { type ApiKey, Store } from "../store/Store.js"
import type { StoreUnavailable } from "../store/StoreError.js"
import * as base64url from "./base64url.js"

/** The header that carries the API key. */
export const header = "x-api-key"

/** The name or label contains invisible characters, or is too long or too short. */
export class InvalidName extends Schema.TaggedError<InvalidName>()("InvalidName", {
  field: Schema.Literals(["account", "label"])
}) {
  override get message() {
    const what = this.field === "account" ? "account name" : "label"
    return `The ${what} must be 1 to 64 visible characters long, with no leading or trailing spaces.`
  }
}

/** The caller of a request. */
export interface Caller {
  readonly accountId: string
  readonly accountName: string
  readonly keyId: string
}

export interface Accounts {
  /**
   * Creates an API key for the account with this name. Creates the account first if it does not exist. The full key is
   * returned only here, because only a hash of its secret is stored.
   */
  readonly create: (input: {
    readonly account: string
    readonly label?: string
  }) => Effect.Effect<{ readonly key: Redacted.Redacted; readonly apiKey: ApiKey }, StoreUnavailable | InvalidName>
  readonly list: Effect.Effect<ReadonlyArray<ApiKey>, StoreUnavailable>
  /**
   * Revokes a key. Returns `false` if the key does not exist or has already been revoked. The revocation takes effect
   * in other processes within 10 seconds.
   */
  readonly revoke: (id: string) => Effect.Effect<boolean, StoreUnavailable>
  /** Authenticates the value of an `x-api-key` header. */
  readonly authenticate: (value: string | undefined) => Effect.Effect<Caller, Refusal | StoreUnavailable>
  /**
   * Returns the caller if the value is a key that was accepted in the last 10 seconds. Otherwise returns `undefined`,
   * and `authenticate` decides.
   */
  readonly recall: (value: string) => Caller | undefined
}

export const Accounts = /* @__PURE__ */ Context.Service<Accounts>("@geoswap/service/Accounts")

const keyPattern = /^gsk_[a-z0-9]{12}_[A-Za-z0-9_-]{43}$/

const parseKey = (text: string) =>
  keyPattern.test(text) ? { id: text.slice(4, 16), secret: text.slice(17) } : undefined

const checkName = (field: InvalidName["field"], text: string) => {
  const name = parseAccountName(text)
  return name === undefined ? Effect.fail(new InvalidName({ field })) : Effect.succeed(name)
}

const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"

/**
 * Generates a random id. Random bytes at or above the largest multiple of the alphabet's length are discarded and drawn
 * again, so every character is equally likely.
 */
const newId = () => {
  let id = ""
  while (id.length < 12) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1))
    if (byte < 256 - (256 % alphabet.length)) id += alphabet.charAt(byte % alphabet.length)
  }
  return id
}

const encoder = new TextEncoder()

/**
 * Returns the SHA-256 hash of a secret, in hex. The secret has 256 random bits, so a slow hash would add no protection.
 */
const hashOf = (secret: Redacted.Redacted) =>
  Effect.promise(async () => {
    const hash = await crypto.subtle.digest("SHA-256", encoder.encode(Redacted.value(secret)))
    return Hex.encode(new Uint8Array(hash))
  })

/**
 * A substitute for the stored hash of an unknown key. The secret's hash is compared with this value, so that
 * authentication takes as long for an unknown key as for a known key.
 */
const noHash = "0".repeat(64)

const sameText = (one: string, other: string) => Mac.timingSafeEqual(encoder.encode(one), encoder.encode(other))

const missing = () => refuse("UNAUTHORIZED", `Send your API key in the ${header} header.`)
const notAccepted = () =>
  refuse(
    "UNAUTHORIZED",
    `The API key in the ${header} header is not valid. Check that it is complete and has not been revoked.`
  )

/** How long a valid key is cached, in nanoseconds, and the maximum number of entries in each cache. */
const cacheTtlNanos = 10_000_000_000n
const cacheCapacity = 10_000

/** How long an id that has no valid key is cached, in nanoseconds. */
const unknownTtlNanos = 1_000_000_000n

/**
 * Caches ids that have no valid key. A key's id is random and is created together with the key, so a legitimate caller
 * never sends an id before its key exists. This cache is separate from the cache for valid keys, because callers can
 * send any number of unknown ids.
 */
const makeUnknownIds = () => {
  const until = new Map<string, bigint>()
  return {
    has: (id: string, now: bigint) => now < (until.get(id) ?? now),
    add: (id: string, now: bigint) => remember(until, id, now + unknownTtlNanos, cacheCapacity)
  }
}

/** A key that was recently found to be valid. */
interface CachedKey {
  readonly key: ApiKey
  readonly caller: Caller
  /**
   * The secret that was accepted for this key. It is compared in constant time with the secrets that callers send,
   * without hashing. `undefined` until a secret has been accepted.
   */
  readonly secret: Uint8Array | undefined
  readonly readAt: bigint
}

/** Caches valid keys by id for a short time. The secret is still compared on every request. */
const makeKeyCache = () => {
  const known = new Map<string, CachedKey>()
  let revocations = 0
  return {
    /**
     * A counter that increases with every revocation. It prevents a key that was read before a revocation from being
     * cached after that revocation.
     */
    generation: () => revocations,
    get: (id: string, now: bigint): CachedKey | undefined => {
      const entry = known.get(id)
      return entry !== undefined && now < entry.readAt + cacheTtlNanos ? entry : undefined
    },
    put: (entry: Omit<CachedKey, "readAt">, readAt: bigint, generation: number) => {
      if (generation === revocations) remember(known, entry.key.id, { ...entry, readAt }, cacheCapacity)
    },
    evict: (id: string) => {
      revocations++
      known.delete(id)
    }
  }
}

/** Creates the accounts service on top of a store. */
export const make = Effect.gen(function* () {
  const store = yield* Store
  const clock = yield* Clock.Clock
  const cache = makeKeyCache()
  const unknown = makeUnknownIds()

  const create = Effect.fn("Accounts.create")(function* (input: { readonly account: string; readonly label?: string }) {
    const name = yield* checkName("account", input.account)
    const label = input.label ? yield* checkName("label", input.label) : ""
    const { id: accountId } = yield* store.account(name)
    const id = newId()
    const secret = Redacted.make(base64url.encode(crypto.getRandomValues(new Uint8Array(32))))
    const apiKey = yield* store.addApiKey({ id, accountId, hash: yield* hashOf(secret), label })
    return { key: Redacted.make(`gsk_${id}_${Redacted.value(secret)}`, { label: `gsk_${id}` }), apiKey }
  })

  /**
   * Checks a secret that does not match a cached secret, by comparing its hash with the key's stored hash. Caches what
   * the store returned, so an id causes few store reads, no matter how many secrets are tried with it.
   */
  const check = Effect.fnUntraced(function* (
    { id, secret }: { readonly id: string; readonly secret: string },
    cached: CachedKey | undefined,
    now: bigint
  ) {
    const generation = cache.generation()
    const isNew = cached === undefined && !unknown.has(id, now)
    const key = cached?.key ?? (isNew ? Option.getOrUndefined(yield* store.apiKey(id)) : undefined)
    const same = sameText(yield* hashOf(Redacted.make(secret)), key?.hash ?? noHash)
    if (key === undefined || key.revokedAt !== undefined) {
      if (isNew) unknown.add(id, now)
      return yield* notAccepted()
    }
    const caller = { accountId: key.accountId, accountName: key.accountName, keyId: key.id }
    if (cached?.secret === undefined) {
      cache.put({ key, caller, secret: same ? encoder.encode(secret) : undefined }, cached?.readAt ?? now, generation)
    }
    return same ? caller : yield* notAccepted()
  })

  /** The caller whose cached secret is the secret that was sent. The comparison takes constant time. */
  const callerOf = (secret: string, cached: CachedKey | undefined) =>
    cached?.secret !== undefined && Mac.timingSafeEqual(encoder.encode(secret), cached.secret)
      ? cached.caller
      : undefined

  const authenticate: Accounts["authenticate"] = (value) =>
    Effect.suspend(() => {
      if (!value) return Effect.fail(missing())
      const parsed = parseKey(value)
      if (parsed === undefined) return Effect.fail(notAccepted())
      const now = clock.monotonicTimeNanosUnsafe()
      const cached = cache.get(parsed.id, now)
      const caller = callerOf(parsed.secret, cached)
      return caller === undefined ? check(parsed, cached, now) : Effect.succeed(caller)
    })

  const recall: Accounts["recall"] = (value) => {
    const parsed = parseKey(value)
    return parsed && callerOf(parsed.secret, cache.get(parsed.id, clock.monotonicTimeNanosUnsafe()))
  }

  const revoke = Effect.fn("Accounts.revoke")((id: string) =>
    // Evict the key even if the store fails, because the revocation may have been written anyway.
    Effect.ensuring(
      store.revokeApiKey(id),
      Effect.sync(() => cache.evict(id))
    )
  )

  return Accounts.of({ create, list: store.apiKeys, revoke, authenticate, recall })
})

/** A layer that provides the accounts service. */
export const layer = Layer.effect(Accounts, make)
