/** Decides which swaps in a group are accepted. The decisions are the same on every database. */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { addressKey } from "../../domain/addressKey.js"
import { type Claim, keyOf, type Since } from "../../domain/Claim.js"
import type { Accepted } from "../../domain/SwapRecord.js"
import * as SwapRows from "../swaps/swapRows.js"
import type { Acceptance } from "./Acceptance.js"
import type { Facts, NewSwap, Usages } from "./AcceptanceStore.js"
import * as OperationNonces from "./operationNonces.js"

/** One call to `accept`. */
export interface Call {
  readonly swap: Accepted
  readonly claims: ReadonlyArray<Claim>
  /** From this time on, the swap is not accepted, in Unix milliseconds. */
  readonly until: number
  /** The caller's clock. */
  readonly clock: Clock.Clock
  readonly nonce: OperationNonces.OperationNonce | undefined
  /** The swap's row, except for the time at which it is accepted. */
  readonly row: NewSwap
}

/** Creates a call. Throws if the swap has a value that cannot be stored. */
export const callOf = (swap: Accepted, claims: ReadonlyArray<Claim>, until: number, clock: Clock.Clock): Call => {
  const nonce = OperationNonces.nonceOf(swap)
  const row = {
    ...SwapRows.newSwapRow(swap),
    wallet_key: addressKey(swap.wallet),
    input_token_key: addressKey(swap.inputToken),
    nonce: nonce?.nonce ?? null
  }
  return { swap, claims, until, clock, nonce, row }
}

/** A decision, with rows that have not been decoded yet. */
export type Decision =
  | Exclude<Acceptance, { readonly _tag: "Inserted" | "Existing" }>
  | { readonly _tag: "Inserted"; readonly row: NewSwap; readonly claims: ReadonlyArray<Claim> }
  | { readonly _tag: "Existing"; readonly row: SwapRows.SwapRow }

/** The key of a claim's usage. It depends on the block, because a claim may count only against some blocks. */
export const usageKey = (claim: Claim): string => `${keyOf(claim)} at ${claim.limit.block}`

/** Why claims are not granted: a limit is too old, or too little of it is left. */
export type Denial = Extract<Acceptance, { readonly _tag: "Outdated" | "Exceeded" }>

/**
 * Decides claims, all or none. `granted` is what earlier calls in the group were granted. A limit that is too old decides
 * nothing, because the money of a claim that was released may still be in it.
 */
export const deny = (
  claims: ReadonlyArray<Claim>,
  usages: Usages,
  granted: ReadonlyMap<string, bigint> = new Map()
): Denial | undefined => {
  const old: Array<Since> = []
  let exceeded: Denial | undefined
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

/** Counts a claim. An input that may be refunded may also be in what its vault holds. */
const grant = (granted: Map<string, bigint>, { amount, kind, name }: Claim): void => {
  for (const counted of kind === "refund" ? ([kind, "vault"] as const) : [kind]) {
    const key = keyOf({ kind: counted, name })
    granted.set(key, (granted.get(key) ?? 0n) + amount)
  }
}

/** Whether the order's swap is the same operation from the same account. */
const isSame = (swap: Accepted, row: SwapRows.SwapRow): boolean =>
  row["account_id"] === swap.accountId && row["operation_hash"] === swap.operationHash

/**
 * Decides the calls in a group one after the other, as if each had been committed before the next. The time is read
 * while the orders are locked, so that an expired order that was reported to have no swap never gets one.
 */
export const decide = Effect.fnUntraced(function* (
  calls: ReadonlyArray<Call>,
  { orders: known, usages }: Facts
): Effect.fn.Return<ReadonlyArray<Decision>> {
  const orders = new Map<string, NewSwap>()
  const nonces = new Set<string>()
  const granted = new Map<string, bigint>()
  const decisions: Array<Decision> = []

  for (const [index, call] of calls.entries()) {
    const { claims, clock, nonce, swap, until } = call
    const facts = known[index]
    if (facts === undefined) return yield* Effect.die(new Error("The database returned no facts for a swap."))
    const earlier = orders.get(swap.orderId)
    const existing = facts.existing ?? (earlier && SwapRows.insertedRow(earlier))
    const nonceKey = nonce === undefined ? undefined : OperationNonces.lockName(nonce)

    const refused = (): Decision | undefined => {
      if (existing !== undefined) {
        return isSame(swap, existing) ? { _tag: "Existing", row: existing } : { _tag: "QuoteUsed" }
      }
      if (facts.nonceUsed || (nonceKey !== undefined && nonces.has(nonceKey))) return { _tag: "NonceUsed" }
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
    const row = { ...call.row, updated_at: now }
    orders.set(swap.orderId, row)
    if (nonceKey !== undefined) nonces.add(nonceKey)
    for (const claim of claims) grant(granted, claim)
    decisions.push({ _tag: "Inserted", row, claims })
  }
  return decisions
})
