/** Rate limits: a token bucket per caller and operation, and a limit on long-polling status requests. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as EffectRecord from "effect/Record"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { ClientLimits, Limits } from "../config/Config.js"
import * as Series from "../metrics/series.js"
import { type Refusal, refuse } from "../Refusal.js"
import { LimitShares, unshared } from "./LimitShares.js"

/** The operations that have their own limit. */
export type Operation = Exclude<keyof Limits, "failedAuth" | "heldPerAccount">

/** The operations of the swap page that have their own limit. */
export type ClientOperation = Exclude<keyof ClientLimits, "heldPerClient" | "total">

/** A caller's remaining allowance, as reported in the response headers. */
export const Allowance = Schema.Struct({
  /** The name of the rate limit policy: the operation, or `held` for long-polling status requests. */
  name: Schema.String,
  limit: Schema.Int,
  remaining: Schema.Int,
  /** Seconds until the full limit is available again. If no calls remain, seconds until the next call is allowed. */
  resetSeconds: Schema.Int,
  /** The value of the `RateLimit-Policy` header. */
  policy: Schema.String
})
export type Allowance = typeof Allowance.Type

/** Counts long-polling status requests by caller. */
export interface Holds {
  /** Counts a request as open until `leave`. Returns a refusal if the caller has too many open requests. */
  readonly enter: (caller: string) => Refusal | undefined
  readonly leave: (caller: string) => void
  readonly isFull: (caller: string) => boolean
}

export interface RateLimits<Name extends string = Operation> {
  /** Takes one call from a caller's allowance. Fails with `RATE_LIMITED` if no calls are left. */
  readonly take: (caller: string, operation: Name) => Effect.Effect<Allowance, Refusal>
  /** Counts a long-polling status request as open until the scope closes. */
  readonly hold: (caller: string) => Effect.Effect<void, Refusal, Scope.Scope>
  /** Counts long-polling status requests without a scope. */
  readonly holds: Holds
  /**
   * Takes one call without a fiber. Returns `undefined`, and counts nothing, if no calls are left: `take` then refuses
   * the call.
   */
  readonly takeNow: (caller: string, operation: Name, now: bigint) => Allowance | undefined
  /** The number of tracked buckets, plus the number of callers with open long-polling requests. */
  readonly tracked: Effect.Effect<number>
}

/** The rate limits enforced by this process. */
export const RateLimits: Context.Service<RateLimits, RateLimits> =
  /* @__PURE__ */ Context.Service<RateLimits>("@geoswap/service/RateLimits")

const second = 1_000_000_000n
/** How often full buckets are removed from memory. A bucket that does not exist is treated as full. */
const sweepEvery = 60n * second
/**
 * The maximum number of callers to track. The number is limited because an attacker can use any number of addresses.
 */
const maxCallers = 100_000

const wholeSeconds = (nanos: bigint): number => Number((nanos + second - 1n) / second)

type Policy = Limits[Operation]
type Policies<Name extends string> = Readonly<Record<Name, Policy>>

/** How much of a bucket has been used, expressed as the time needed to refill it, and when this amount was computed. */
interface Used {
  readonly missing: bigint
  readonly at: bigint
}

/**
 * The buckets for one policy, by caller. The contents of a bucket are measured as time. Each call uses the time that it
 * takes to refill one call (`interval`), and is allowed only if the bucket has at least that much left.
 */
const bucketOf = (name: string, { burst, perSecond }: Policy) => {
  const nanos = Math.min(Number(second) / perSecond, Number.MAX_SAFE_INTEGER)
  const interval = BigInt(Math.max(1, Math.round(nanos)))
  const whole = interval * BigInt(burst)
  return {
    name,
    interval,
    whole,
    burst,
    perSecond,
    policy: `"${name}";q=${burst};w=${wholeSeconds(whole)}`,
    used: new Map<string, Used>()
  }
}

type Bucket = ReturnType<typeof bucketOf>

const refusal = (message: string, allowance: Allowance): Refusal =>
  refuse("RATE_LIMITED", message, { details: { ...allowance }, retryAfter: allowance.resetSeconds })

/** LimitShares are expressed in whole millionths, so that arithmetic with nanoseconds uses only integers. */
const million = 1_000_000n

interface BucketOptions<Name extends string> {
  readonly policies: Policies<Name>
  readonly kind: Series.LimitKind
  /** The policy's name in headers (default: the operation). */
  readonly title?: (name: Name) => string
  /** Returns the beginning of the refusal message. */
  readonly tooMany: (name: Name) => string
  /** This process's shares of the limits. */
  readonly shares: LimitShares
}

/** Creates the buckets. Every bucket starts full. */
const makeBuckets = <Name extends string>(options: BucketOptions<Name>) => {
  const { kind, policies, shares, title = (name) => name, tooMany } = options
  const buckets: Readonly<Record<Name, Bucket>> = EffectRecord.map(policies, (policy: Policy, name: Name) =>
    bucketOf(title(name), policy)
  )
  const all = Object.entries<Bucket>(buckets)
  const refused = Series.rateLimited({ limit: kind })
  const keyOf = (name: string, caller: string) => `${kind}:${name}:${caller}`
  const partOf = (key: string): bigint => {
    const part = BigInt(Math.ceil(shares.partOf(key) * Number(million)))
    return part < 1n ? 1n : part
  }
  const missingOf = (used: Used | undefined, part: bigint, now: bigint): bigint => {
    if (used === undefined) return 0n
    const missing = used.missing - ((now - used.at) * part) / million
    return missing > 0n ? missing : 0n
  }
  let sweptAt: bigint | undefined

  const sweep = (now: bigint): void => {
    if (sweptAt !== undefined && now - sweptAt < sweepEvery) return
    sweptAt = now
    for (const [name, { used }] of all) {
      for (const [caller, one] of used) if (missingOf(one, partOf(keyOf(name, caller)), now) === 0n) used.delete(caller)
    }
  }
  const track = ({ used }: Bucket, caller: string, use: Used): void => {
    used.set(caller, use)
    const [oldest] = used.size > maxCallers ? used.keys() : []
    if (oldest !== undefined) used.delete(oldest)
  }

  /** Takes one call, or returns the allowance of a caller that has no calls left. */
  const takeAt = (caller: string, name: Name, now: bigint, countRefused: boolean) => {
    sweep(now)
    const bucket = buckets[name]
    const { burst, interval, perSecond, policy } = bucket
    const key = keyOf(name, caller)
    if (countRefused) shares.count(key, perSecond)
    const part = partOf(key)
    const ours = (bucket.whole * part) / million
    // Every replica allows at least one call, no matter how small its share is.
    const whole = ours > interval ? ours : interval
    const missing = missingOf(bucket.used.get(caller), part, now) + interval
    const allowance = (remaining: number, until: bigint): Allowance => ({
      name: bucket.name,
      limit: burst,
      remaining,
      resetSeconds: wholeSeconds((until * million + part - 1n) / part),
      policy
    })
    if (missing > whole) return { isTaken: false, allowance: allowance(0, missing - whole) }
    if (!countRefused) shares.count(key, perSecond)
    track(bucket, caller, { missing, at: now })
    const remaining = Number((whole - missing) / interval)
    return { isTaken: true, allowance: allowance(remaining, remaining > 0 ? missing : missing + interval - whole) }
  }
  const takeOrFail = (caller: string, name: Name, fiber: Fiber.Fiber<unknown, unknown>) => {
    const { allowance, isTaken } = takeAt(caller, name, fiber.getRef(Clock.Clock).monotonicTimeNanosUnsafe(), true)
    if (isTaken) return Effect.succeed(allowance)
    refused.updateUnsafe(1, fiber.context)
    return Effect.fail(refusal(`${tooMany(name)}. Wait ${allowance.resetSeconds} s and try again.`, allowance))
  }

  return {
    // This effect has no span, because it only does arithmetic.
    take: (caller: string, name: Name): Effect.Effect<Allowance, Refusal> =>
      Effect.withFiber((fiber) => takeOrFail(caller, name, fiber)),
    takeNow: (caller: string, name: Name, now: bigint): Allowance | undefined => {
      const { allowance, isTaken } = takeAt(caller, name, now, false)
      return isTaken ? allowance : undefined
    },
    tracked: () => all.reduce((sum, [, { used }]) => sum + used.size, 0)
  }
}

/** Limits the number of concurrent long-polling requests per caller. The refusal message starts with `who`. */
const makeHolds = (most: number, who: string) => {
  const held = new Map<string, number>()

  const isFull = (caller: string): boolean => (held.get(caller) ?? 0) >= most
  const enter = (caller: string): Refusal | undefined => {
    if (!isFull(caller)) {
      held.set(caller, (held.get(caller) ?? 0) + 1)
      return undefined
    }
    return refusal(
      `${who} already has ${most} status requests waiting for a response. Wait until one of them completes.`,
      {
        name: "held",
        limit: most,
        remaining: 0,
        resetSeconds: 1,
        policy: `"held";q=${most};qu="concurrent-requests"`
      }
    )
  }
  const leave = (caller: string): void => {
    const count = (held.get(caller) ?? 0) - 1
    if (count > 0) held.set(caller, count)
    else held.delete(caller)
  }

  return {
    holds: { enter, leave, isFull },
    hold: (caller: string): Effect.Effect<void, Refusal, Scope.Scope> =>
      Effect.acquireRelease(
        Effect.suspend(() => {
          const refused = enter(caller)
          return refused === undefined ? Effect.void : Effect.fail(refused)
        }),
        () => Effect.sync(() => leave(caller))
      ),
    tracked: () => held.size
  }
}

/** The operations whose names in refusal messages differ from those in the configuration. */
const calls: Readonly<Record<string, string>> = {
  indicative: "indicative quote",
  changeDelegation: "change-delegation"
}

/** An operation's name in a refusal message. */
const callOf = (operation: Operation | ClientOperation): string => calls[operation] ?? operation

/** The limits for accounts. */
export type AccountLimits = Omit<Limits, "failedAuth">

/** Creates the limits for accounts, shared with other replicas. */
export const make = ({ heldPerAccount, ...limits }: AccountLimits, shares: LimitShares = unshared): RateLimits => {
  const { build, chains, changeDelegation, delegation, indicative, quote, status, submit } = limits
  const buckets = makeBuckets({
    policies: { build, chains, changeDelegation, delegation, indicative, quote, status, submit },
    kind: "account",
    tooMany: (name) => `Too many ${callOf(name)} calls with this account's API keys`,
    shares
  })
  const held = makeHolds(heldPerAccount, "This account")
  const { hold, holds } = held
  const { take, takeNow } = buckets
  return { take, takeNow, hold, holds, tracked: Effect.sync(() => buckets.tracked() + held.tracked()) }
}

/**
 * Creates the limits for visitors without a key: one for each visitor (identified by address, for example) and one for
 * all visitors combined. A call that exceeds a visitor's own limit is not counted against the combined limit. Only the
 * combined limit is shared with other replicas, so visitors' addresses are not written to the database.
 */
export const forClients = (
  { heldPerClient, total, ...policies }: ClientLimits,
  shares: LimitShares = unshared
): RateLimits<ClientOperation> => {
  const own = makeBuckets({
    policies,
    kind: "visitor",
    tooMany: (name) => `Too many ${callOf(name)} calls from your network address`,
    shares: unshared
  })
  const common = makeBuckets({
    policies: total,
    kind: "visitors",
    title: (name) => `${name}-total`,
    tooMany: (name) => `Too many ${callOf(name)} calls from all visitors to this page combined`,
    shares
  })
  const held = makeHolds(heldPerClient, "Your network address")
  return {
    take: (caller, operation) =>
      Effect.flatMapEager(own.take(caller, operation), (allowance) => Effect.as(common.take("", operation), allowance)),
    // Two limits apply, so a call without a fiber could be counted against only one of them.
    takeNow: () => undefined,
    hold: held.hold,
    holds: held.holds,
    tracked: Effect.sync(() => own.tracked() + common.tracked() + held.tracked())
  }
}

/**
 * Counts failed authentications by network address, and fails if an address has too many failures. Called only after an
 * authentication has failed, so a request with a valid key is accepted from any address.
 */
export const forFailures = (policy: Limits["failedAuth"]): ((address: string) => Effect.Effect<void, Refusal>) => {
  const { take } = makeBuckets({
    policies: { "failed-auth": policy },
    kind: "failed-auth",
    tooMany: () => "Too many requests without a valid API key from your network address",
    shares: unshared
  })
  return (address) => Effect.asVoid(take(address, "failed-auth"))
}

/** A layer that provides the rate limits. */
export const layer = (limits: AccountLimits): Layer.Layer<RateLimits> =>
  Layer.effect(
    RateLimits,
    Effect.map(LimitShares, (shares) => make(limits, shares))
  )

const decode = Schema.decodeUnknownOption(Allowance)

/**
 * The `RateLimit` and `RateLimit-Policy` headers (draft-ietf-httpapi-ratelimit-headers), plus `Retry-After` for a
 * refusal.
 */
export const headersOf = (value: Allowance | Refusal): Readonly<Record<string, string>> => {
  if ("policy" in value) {
    return {
      "ratelimit-policy": value.policy,
      ratelimit: `"${value.name}";r=${value.remaining};t=${value.resetSeconds}`
    }
  }
  return {
    ...(value.retryAfter === undefined ? {} : { "retry-after": String(value.retryAfter) }),
    ...Option.match(decode(value.details), { onNone: () => ({}), onSome: headersOf })
  }
}
