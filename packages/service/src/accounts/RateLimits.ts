/** Rate limits: a token bucket per caller and operation, and a limit on long-polling status requests. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { ClientLimits, Limits } from "../config/Config.js"
import type { Refusal } from "../domain/Refusal.js"
import { LimitShares, unshared } from "./LimitShares.js"
import { Allowance, makeBuckets, refusal } from "./tokenBuckets.js"

/** The operations that have their own limit. */
export type Operation = Exclude<keyof Limits, "failedAuth" | "heldPerAccount">

/** The operations of the swap page that have their own limit. */
export type ClientOperation = Exclude<keyof ClientLimits, "heldPerClient" | "total">

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
export const RateLimits = /* @__PURE__ */ Context.Service<RateLimits>("@geoswap/service/RateLimits")

/** Limits the number of concurrent long-polling requests per caller. The refusal message starts with `who`. */
const makeHolds = (most: number, who: string) => {
  const held = new Map<string, number>()

  const isFull = (caller: string) => (held.get(caller) ?? 0) >= most
  const enter = (caller: string) => {
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
  const leave = (caller: string) => {
    const count = (held.get(caller) ?? 0) - 1
    if (count > 0) held.set(caller, count)
    else held.delete(caller)
  }

  return {
    holds: { enter, leave, isFull },
    hold: (caller: string) =>
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
export const make = ({ heldPerAccount, ...policies }: AccountLimits, shares: LimitShares = unshared) => {
  const buckets = makeBuckets({
    policies,
    kind: "account",
    tooMany: (name) => `Too many ${callOf(name)} calls with this account's API keys`,
    shares
  })
  const held = makeHolds(heldPerAccount, "This account")
  return { ...buckets, ...held, tracked: Effect.sync(() => buckets.tracked() + held.tracked()) }
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
    ...held,
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
export const layer = (limits: AccountLimits) =>
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
