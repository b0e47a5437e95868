/**
 * Token buckets: how many calls of each operation a caller has left. The buckets are in memory, and this process enforces
 * its share of each limit.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as EffectRecord from "effect/Record"
import * as Schema from "effect/Schema"
import { remember } from "../concurrency/boundedMap.js"
import { refuse } from "../domain/Refusal.js"
import * as Series from "../metrics/series.js"
import type { LimitShares } from "./LimitShares.js"

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

const second = 1_000_000_000n
/** How often full buckets are removed from memory. A bucket that does not exist is treated as full. */
const sweepEvery = 60n * second
/**
 * The maximum number of callers to track. The number is limited because an attacker can use any number of addresses.
 */
const maxCallers = 100_000

const wholeSeconds = (nanos: bigint) => Number((nanos + second - 1n) / second)

/** How many calls are allowed per second, and in a burst. */
export interface Policy {
  readonly burst: number
  readonly perSecond: number
}
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

/** The refusal of a call for which nothing is left. */
export const refusal = (message: string, allowance: Allowance) =>
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
export const makeBuckets = <Name extends string>(options: BucketOptions<Name>) => {
  const { kind, policies, shares, title = (name) => name, tooMany } = options
  const buckets: Readonly<Record<Name, Bucket>> = EffectRecord.map(policies, (policy: Policy, name: Name) =>
    bucketOf(title(name), policy)
  )
  const all = Object.entries<Bucket>(buckets)
  const refused = Series.rateLimited({ limit: kind })
  const keyOf = (name: string, caller: string) => `${kind}:${name}:${caller}`
  const partOf = (key: string) => {
    const part = BigInt(Math.ceil(shares.partOf(key) * Number(million)))
    return part < 1n ? 1n : part
  }
  const missingOf = (used: Used | undefined, part: bigint, now: bigint) => {
    if (used === undefined) return 0n
    const missing = used.missing - ((now - used.at) * part) / million
    return missing > 0n ? missing : 0n
  }
  let sweptAt: bigint | undefined

  const sweep = (now: bigint) => {
    if (sweptAt !== undefined && now - sweptAt < sweepEvery) return
    sweptAt = now
    for (const [name, { used }] of all) {
      for (const [caller, one] of used) if (missingOf(one, partOf(keyOf(name, caller)), now) === 0n) used.delete(caller)
    }
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
    const allowance = (remaining: number, until: bigint) => ({
      name: bucket.name,
      limit: burst,
      remaining,
      resetSeconds: wholeSeconds((until * million + part - 1n) / part),
      policy
    })
    if (missing > whole) return { isTaken: false, allowance: allowance(0, missing - whole) }
    if (!countRefused) shares.count(key, perSecond)
    remember(bucket.used, caller, { missing, at: now }, maxCallers)
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
    take: (caller: string, name: Name) => Effect.withFiber((fiber) => takeOrFail(caller, name, fiber)),
    takeNow: (caller: string, name: Name, now: bigint) => {
      const { allowance, isTaken } = takeAt(caller, name, now, false)
      return isTaken ? allowance : undefined
    },
    tracked: () => all.reduce((sum, [, { used }]) => sum + used.size, 0)
  }
}
