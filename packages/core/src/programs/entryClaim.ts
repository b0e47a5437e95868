/** The claim that an `execute` call holds on its ledger entry while the call is signing. */
import * as Effect from "effect/Effect"
import type { FlowId } from "../Id.js"
import type { Entry } from "../Store.js"
import type { Claim, Ledger } from "./ledger.js"
import type { StoreError } from "../SwapError.js"
import { closedEntry, forgetEnded, readLedger } from "./flowEntry.js"

/** The option that makes several `execute` calls share one swap. */
export interface IdempotencyOptions {
  /**
   * Your own id for this swap, for example an order number. Every `execute` call with the same key and request refers
   * to the same swap: the call returns the swap, resumes it, or starts it if nothing has been signed yet. Requires a
   * ledger and a journal that all your processes share.
   */
  readonly idempotencyKey?: string | undefined
}

/**
 * The claim is lost, because another process has taken over the ledger entry, submitted the flow or closed the
 * flow.
 */
export interface ClaimLost {
  readonly _tag: "ClaimLost"
}

/**
 * An `execute` call's claim on a ledger entry: the entry for the call's idempotency key or, without a key, the entry
 * for the call's flow.
 */
export interface EntryClaim {
  /** The id of the flow that the call signs for. */
  readonly flowId: FlowId
  /** The idempotency key that was passed to `execute`. */
  readonly idempotencyKey?: string
  /**
   * Sets the flow's signature count to this number before the signature is made. If the earlier signatures were
   * discarded, fails if another process has resumed them.
   */
  readonly countSignature: (number: number, discardsEarlier: boolean) => Effect.Effect<void, StoreError | ClaimLost>
  /**
   * Reverts the count for a signature that never left this process, and returns whether the count was reverted. The
   * count is not reverted if another process has resumed the flow, because that process may have submitted the
   * signature.
   */
  readonly uncountSignature: (number: number) => Effect.Effect<boolean>
  /**
   * Records that this signature is about to be sent. Fails if another process has taken back the count, in which case
   * the signature must not be sent.
   */
  readonly markSent: (number: number) => Effect.Effect<void, StoreError | ClaimLost>
  /**
   * Gives up the claim, and returns whether the claim was given up. The claim stays if another process has resumed the
   * flow. If the flow was signed, its entry stays, so that the flow is not resumed if it is still in the journal or is
   * written to the journal later. Call this only if none of the signatures that this process sent can still be
   * used.
   */
  readonly release: Effect.Effect<boolean>
  /**
   * Removes what `release` has left of an entry without an idempotency key, once the journal no longer has the flow.
   */
  readonly forget: Effect.Effect<void>
  /** Lets the next `execute` call with the same idempotency key take over a claim without a signature immediately. */
  readonly expire: Effect.Effect<void>
}

/** The claim for an `execute` call without a ledger. There is no entry in this case. */
export const noClaim = (flowId: FlowId): EntryClaim => ({
  flowId,
  countSignature: () => Effect.void,
  uncountSignature: () => Effect.succeed(true),
  markSent: () => Effect.void,
  release: Effect.succeed(true),
  forget: Effect.void,
  expire: Effect.void
})

const held = (isHeld: boolean): Effect.Effect<void, ClaimLost> =>
  isHeld ? Effect.void : Effect.fail({ _tag: "ClaimLost" })

/**
 * Returns the claim on an entry whose owner is this flow. No other process signs for the flow, so no other process
 * changes the signature count.
 */
const claimOf = (ledger: Ledger, claim: Claim, isKeyed: boolean): EntryClaim => {
  const { key, owner: flowId } = claim
  const entryAfter = (signatures: number) =>
    signatures === 0
      ? ({ owner: flowId, state: "claimed" } as const)
      : ({ owner: flowId, state: "signing", flowId, signatures } as const)
  const advance = (from: Partial<Entry>, to: Parameters<Ledger["advance"]>[2]): Effect.Effect<boolean> =>
    Effect.map(readLedger(ledger.advance(key, from, to)), (won) => won === true)
  // If another `execute` call has taken over the entry, or if the entry can be claimed again, then no process has
  // submitted this flow's signature, and no process will.
  const isTakenOver = Effect.map(
    readLedger(ledger.claim(claim)),
    (entry) => entry !== undefined && (entry.state === "claimed" || entry.flowId !== flowId)
  )
  return {
    flowId,
    countSignature: (number, discardsEarlier) =>
      Effect.flatMap(
        ledger.advance(
          key,
          { ...entryAfter(number - 1), ...(discardsEarlier && { resumed: false }) },
          { state: "signing", flowId, signatures: number, resumed: false, sent: false }
        ),
        held
      ),
    uncountSignature: (number) =>
      Effect.flatMap(
        advance(
          { ...entryAfter(number), resumed: false },
          number === 1 ? { state: "claimed", sent: false } : { signatures: number - 1, sent: true }
        ),
        (won) => (won || number > 1 ? Effect.succeed(won) : isTakenOver)
      ),
    markSent: (number) => Effect.flatMap(ledger.advance(key, entryAfter(number), { sent: true }), held),
    // If another process has advanced the entry to `accepted` or `ended`, the entry stays.
    release: Effect.gen(function* () {
      const never = { owner: flowId, state: "claimed", flowId: undefined } as unknown as Partial<Entry>
      if (yield* advance(isKeyed ? never : entryAfter(0), undefined)) return true
      if (isKeyed && (yield* advance(entryAfter(0), { until: 0 }))) return true
      const closed = closedEntry(isKeyed)
      return yield* advance({ owner: flowId, state: "signing", resumed: false }, closed)
    }),
    forget: isKeyed ? Effect.void : forgetEnded(ledger, { flowId, wallet: claim.wallet }),
    expire: Effect.asVoid(advance(entryAfter(0), { until: 0 }))
  }
}

/** Returns the claim for an `execute` call that has claimed its idempotency key. */
export const keyClaim = (ledger: Ledger, claim: Claim & { readonly key: string }): EntryClaim => ({
  ...claimOf(ledger, claim, true),
  idempotencyKey: claim.key
})

/**
 * Returns the claim for an `execute` call that has a ledger but no idempotency key. The entry is stored under the
 * flow's id, and is created before the first signature. Through the entry, this call and a `resume` call in another
 * process agree on which of them may still send, withdraw or close the flow's signatures.
 */
export const flowClaim = (ledger: Ledger, claim: Claim): EntryClaim => {
  const { owner: flowId } = claim
  const claimed = claimOf(ledger, claim, false)
  return {
    ...claimed,
    countSignature: (number, discardsEarlier) =>
      number === 1
        ? Effect.flatMap(
            ledger.claim({ ...claim, flow: { flowId, signatures: 1, resumed: false, sent: false } }),
            ({ owner }) => held(owner === flowId)
          )
        : claimed.countSignature(number, discardsEarlier)
  }
}
