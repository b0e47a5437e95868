/** How often somebody may call: a token bucket per caller and operation, and a count of held status requests. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { ClientLimits, Limits } from "./Config.js"
import { type Refusal, refuse } from "./Refusal.js"

/** What is limited by itself. */
export type Operation = Exclude<keyof Limits, "heldPerAccount">

/** The same for a page. */
export type ClientOperation = Exclude<keyof ClientLimits, "heldPerClient">

/** What is left, as the headers say it. */
export const Allowance = Schema.Struct({
  /** The policy's name: the operation, or `held`. */
  name: Schema.String,
  limit: Schema.Int,
  remaining: Schema.Int,
  /** Until the whole limit is there again, or, where nothing remains, until the next call passes. */
  resetSeconds: Schema.Int,
  /** The value of `RateLimit-Policy`. */
  policy: Schema.String
})
export type Allowance = typeof Allowance.Type

export interface Shape<Name extends string = Operation> {
  /** Takes one call of somebody's allowance, or refuses it with `RATE_LIMITED`. */
  readonly take: (caller: string, operation: Name) => Effect.Effect<Allowance, Refusal>
  /** Counts a held status request for as long as the scope is open. */
  readonly hold: (caller: string) => Effect.Effect<void, Refusal, Scope.Scope>
  /** How many buckets that are not full, and callers with held requests, are remembered. */
  readonly tracked: Effect.Effect<number>
}

/** The limits of this process. */
export class RateLimits extends Context.Service<RateLimits, Shape>()("@geoswap/service/RateLimits") {}

const second = 1_000_000_000n
/** How often full buckets are looked for: they say no more than absent ones. */
const sweepEvery = 60n * second

const wholeSeconds = (nanos: bigint): number => Number((nanos + second - 1n) / second)

/**
 * A bucket as the time at which it is full again: each call moves that time on by one interval, and passes if it is no
 * more than the whole bucket away.
 */
const bucketOf = (name: string, { burst, perSecond }: Limits[Operation]) => {
  const nanos = Math.min(Number(second) / perSecond, Number.MAX_SAFE_INTEGER)
  const interval = BigInt(Math.max(1, Math.round(nanos)))
  const whole = interval * BigInt(burst)
  return {
    interval,
    whole,
    burst,
    policy: `"${name}";q=${burst};w=${wholeSeconds(whole)}`,
    fullAt: new Map<string, bigint>()
  }
}

type Bucket = ReturnType<typeof bucketOf>

const refusal = (message: string, allowance: Allowance): Refusal =>
  refuse("RATE_LIMITED", message, { details: { ...allowance }, retryAfter: allowance.resetSeconds })

type Policies<Name extends string> = Readonly<Record<Name, Limits[Operation]>>

const bucketsOf = <Name extends string>(policies: Policies<Name>) =>
  Object.fromEntries(
    Object.entries<Limits[Operation]>(policies).map(([name, policy]) => [name, bucketOf(name, policy)])
  ) as Readonly<Record<Name, Bucket>>

/** Who is counted, in the words of a refusal. */
interface Words {
  /** After "Too many calls of quote". */
  readonly with: string
  /** Before "has 8 status requests held already". */
  readonly who: string
}

/** Limits that start full. */
const counting = <Name extends string>(policies: Policies<Name>, limitHeld: number, words: Words): Shape<Name> => {
  const buckets = bucketsOf(policies)
  const held = new Map<string, number>()
  let sweptAt: bigint | undefined

  const sweep = (now: bigint): void => {
    if (sweptAt !== undefined && now - sweptAt < sweepEvery) return
    sweptAt = now
    for (const { fullAt } of Object.values<Bucket>(buckets)) {
      for (const [caller, at] of fullAt) if (at <= now) fullAt.delete(caller)
    }
  }

  const takeAt = (caller: string, name: Name, now: bigint): Effect.Effect<Allowance, Refusal> => {
    sweep(now)
    const { burst: limit, fullAt, interval, policy, whole } = buckets[name]
    const before = fullAt.get(caller) ?? now
    const missing = (before > now ? before - now : 0n) + interval
    const allowance = (remaining: number, until: bigint): Allowance => ({
      name,
      limit,
      remaining,
      resetSeconds: wholeSeconds(until),
      policy
    })
    if (missing > whole) {
      const refused = allowance(0, missing - whole)
      const wait = `wait ${refused.resetSeconds} s and try again`
      return Effect.fail(refusal(`Too many calls of ${name} ${words.with}: ${wait}.`, refused))
    }
    fullAt.set(caller, now + missing)
    const remaining = Number((whole - missing) / interval)
    return Effect.succeed(allowance(remaining, remaining > 0 ? missing : missing + interval - whole))
  }

  const holdOne = (caller: string): Effect.Effect<void, Refusal> => {
    const count = held.get(caller) ?? 0
    if (count < limitHeld) {
      held.set(caller, count + 1)
      return Effect.void
    }
    const policy = `"held";q=${limitHeld};qu="concurrent-requests"`
    return Effect.fail(
      refusal(`${words.who} has ${limitHeld} status requests held already: wait for one of them to be answered.`, {
        name: "held",
        limit: limitHeld,
        remaining: 0,
        resetSeconds: 1,
        policy
      })
    )
  }

  const letGo = (caller: string): void => {
    const count = (held.get(caller) ?? 0) - 1
    if (count > 0) held.set(caller, count)
    else held.delete(caller)
  }

  return {
    // Without spans, which would tell nothing: this is arithmetic.
    take: (caller, operation) =>
      Effect.withFiber((fiber) => takeAt(caller, operation, fiber.getRef(Clock.Clock).monotonicTimeNanosUnsafe())),
    hold: (caller) =>
      Effect.acquireRelease(
        Effect.suspend(() => holdOne(caller)),
        () => Effect.sync(() => letGo(caller))
      ),
    tracked: Effect.sync(() => Object.values<Bucket>(buckets).reduce((sum, { fullAt }) => sum + fullAt.size, held.size))
  }
}

/** Limits of accounts. */
export const make = ({ heldPerAccount, ...policies }: Limits): Shape =>
  counting(policies, heldPerAccount, { with: "with this account's keys", who: "This account" })

/** Limits of those who come without a key, each by a name such as their address. */
export const forClients = ({ heldPerClient, ...policies }: ClientLimits): Shape<ClientOperation> =>
  counting(policies, heldPerClient, { with: "from your network address", who: "Your network address" })

/** `make` as a layer. */
export const layer = (limits: Limits): Layer.Layer<RateLimits> => Layer.sync(RateLimits, () => make(limits))

const decode = Schema.decodeUnknownOption(Allowance)

/** `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers), and for a refusal `Retry-After`. */
export const headersOf = (given: Allowance | Refusal): Readonly<Record<string, string>> => {
  if ("policy" in given) {
    return {
      "ratelimit-policy": given.policy,
      ratelimit: `"${given.name}";r=${given.remaining};t=${given.resetSeconds}`
    }
  }
  return {
    ...(given.retryAfter === undefined ? {} : { "retry-after": String(given.retryAfter) }),
    ...Option.match(decode(given.details), { onNone: () => ({}), onSome: headersOf })
  }
}
