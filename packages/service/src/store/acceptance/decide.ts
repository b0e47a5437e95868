/** Decides which swaps in a group are accepted. The decisions are the same on every database. */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { atRisk, type Claim, keyOf, type Since } from "../../domain/Claim.js"
import type { Accepted, SwapRecord } from "../../domain/SwapRecord.js"
import type { Row } from "../sql/rows.js"
import * as SwapRows from "../swaps/swapRows.js"
import type { Acceptance, ClaimDenial } from "./Acceptance.js"
import { nonceKey } from "./operationNonces.js"

/** One call to `accept`. */
export interface Call {
  readonly swap: Accepted
  /** The swap's row, except for the time at which it is accepted. */
  readonly row: Row
  readonly claims: ReadonlyArray<Claim>
  /** From this time on, the swap is not accepted, in Unix milliseconds. */
  readonly until: number
  /** The caller's clock. */
  readonly clock: Clock.Clock
}

/** What is claimed of a resource. */
export interface Usage {
  /** The claims that count against a limit at the block at which it was read. */
  readonly used: bigint
  /** The oldest block at which the limit may have been read. */
  readonly since: bigint
}

/** The usage of resources, by `usageKey`. */
export type Usages = ReadonlyMap<string, Usage>

/** The swap of an order, if there is one. */
interface Existing {
  readonly id: string | undefined
  readonly accountId: string | undefined
  readonly operationHash: string | undefined
}

/** What a group's decisions depend on. All of it was read while the group's locks were held. */
export interface Facts {
  /** For each call: the swap of its order, and whether its operation's nonce belongs to a swap that has not failed. */
  readonly orders: ReadonlyMap<number, Existing & { readonly nonceUsed: boolean }>
  readonly usages: Usages
}

/** A decision. An existing swap has not been read yet. */
export type Decision =
  | Exclude<Acceptance, { readonly _tag: "Inserted" | "Existing" }>
  | {
      readonly _tag: "Inserted"
      readonly swap: SwapRecord
      readonly row: Row
      readonly claims: ReadonlyArray<Claim>
    }
  | { readonly _tag: "Existing"; readonly id: string }

/** The key of a claim's usage. It depends on the block, because a claim may count only against some blocks. */
export const usageKey = (claim: Claim): string => `${keyOf(claim)} at ${claim.limit.block}`

/**
 * Decides claims, all or none. `granted` is what earlier calls in the group were granted. A limit that is too old decides
 * nothing, because the money of a claim that was released may still be in it.
 */
export const deny = (
  claims: ReadonlyArray<Claim>,
  usages: Usages,
  granted: ReadonlyMap<string, bigint> = new Map()
): ClaimDenial | undefined => {
  const old: Array<Since> = []
  let exceeded: ClaimDenial | undefined
  // A swap may have several claims on a resource, for example on the gas of a chain.
  const own = new Map<string, bigint>()
  for (const claim of claims) {
    const { amount, kind, limit, name } = claim
    const usage = usages.get(usageKey(claim))
    if (usage !== undefined && limit.block < usage.since) old.push({ kind, name, block: usage.since })
    const key = keyOf(claim)
    const used = (usage?.used ?? 0n) + (granted.get(key) ?? 0n)
    const claimed = (own.get(key) ?? 0n) + amount
    if (used + claimed > limit.amount) exceeded ??= { _tag: "Exceeded", claim, used }
    own.set(key, claimed)
  }
  return old.length > 0 ? { _tag: "Outdated", since: old } : exceeded
}

/** Returns the largest value in flight that a swap adds to, including its own, in cents. */
const atRiskOf = (
  claims: ReadonlyArray<Claim>,
  usages: Usages,
  granted: ReadonlyMap<string, bigint>
): number | undefined => {
  const sums = claims
    .filter(({ kind }) => atRisk.includes(kind))
    .map((claim) => (usages.get(usageKey(claim))?.used ?? 0n) + (granted.get(keyOf(claim)) ?? 0n) + claim.amount)
  return sums.length === 0 ? undefined : Math.min(Number.MAX_SAFE_INTEGER, Math.max(...sums.map(Number)))
}

/** Counts a claim. An input that may be refunded may also be in what its vault holds. */
const grant = (granted: Map<string, bigint>, { amount, kind, name }: Claim): void => {
  for (const counted of kind === "refund" ? ([kind, "vault"] as const) : [kind]) {
    const key = keyOf({ kind: counted, name })
    granted.set(key, (granted.get(key) ?? 0n) + amount)
  }
}

/**
 * Decides the calls in a group one after the other, as if each had been committed before the next. The time is read
 * while the orders are locked, so that an expired order that was reported to have no swap never gets one.
 */
export const decide = Effect.fnUntraced(function* (
  calls: ReadonlyArray<Call>,
  { orders: known, usages }: Facts
): Effect.fn.Return<ReadonlyArray<Decision>> {
  const orders = new Map<string, Existing>()
  const nonces = new Set<string>()
  const granted = new Map<string, bigint>()
  const decisions: Array<Decision> = []

  for (const [index, { claims, clock, row, swap, until }] of calls.entries()) {
    const facts = known.get(index)
    if (facts === undefined) return yield* Effect.die(new Error("The database returned no facts for a swap."))
    const existing = facts.id === undefined ? orders.get(swap.orderId) : facts
    const nonce = nonceKey(swap)

    const refused = (): Decision | undefined => {
      if (existing?.id !== undefined) {
        const isSame = existing.accountId === swap.accountId && existing.operationHash === swap.operationHash
        return isSame ? { _tag: "Existing", id: existing.id } : { _tag: "QuoteUsed" }
      }
      if (facts.nonceUsed || (nonce !== undefined && nonces.has(nonce))) return { _tag: "NonceUsed" }
      return deny(claims, usages, granted)
    }

    const decision = refused()
    if (decision !== undefined) {
      decisions.push(decision)
      continue
    }
    const now = yield* clock.currentTimeMillis
    if (now >= until) {
      decisions.push({ _tag: "Late" })
      continue
    }
    orders.set(swap.orderId, swap)
    if (nonce !== undefined) nonces.add(nonce)
    const atRiskCents = atRiskOf(claims, usages, granted)
    for (const claim of claims) grant(granted, claim)
    decisions.push({
      _tag: "Inserted",
      swap: SwapRows.inserted(swap, now, atRiskCents),
      row: { ...row, updated_at: now, at_risk_cents: atRiskCents ?? null },
      claims
    })
  }
  return decisions
})
