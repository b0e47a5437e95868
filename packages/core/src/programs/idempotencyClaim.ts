/** The claim that an `execute` call holds on its idempotency key while the call is signing. */
import * as Effect from "effect/Effect"
import type { Entry, Shape } from "../Ledger.js"
import type { LedgerError } from "../SwapError.js"
import { readLedger } from "./idempotencyEntry.js"

/** The option that makes several `execute` calls share one swap. */
export interface IdempotencyOptions {
  /**
   * Your own id for this swap, for example an order number. Every `execute` call with the same key and request refers
   * to the same swap: the call returns the swap, resumes it, or starts it if nothing has been signed yet. Requires a
   * ledger and a journal that all your processes share.
   */
  readonly idempotencyKey?: string | undefined
}

/** Another `execute` call has taken over the key or closed its flow. */
export interface ClaimLost {
  readonly _tag: "ClaimLost"
}

/** An idempotency key that one `execute` call has claimed. */
export interface KeyClaim {
  readonly key?: string
  /**
   * Sets the flow's signature count to this number before the signature is made. After the first signature, no other
   * call can take over the key.
   */
  readonly countSignature: (flowId: string, number: number) => Effect.Effect<void, LedgerError | ClaimLost>
  /**
   * Reverts the count for a signature that never left this process, and returns whether the count was reverted. The
   * count stays if another process has resumed the flow, because that process may have submitted the signature.
   */
  readonly uncountSignature: (flowId: string, number: number) => Effect.Effect<boolean>
  /** Releases the key, and returns whether the call still held it. Call this only if no signature can be executed. */
  readonly release: Effect.Effect<boolean>
}

/** The claim for an `execute` call that has no idempotency key. */
export const noClaim: KeyClaim = {
  countSignature: () => Effect.void,
  uncountSignature: () => Effect.succeed(true),
  release: Effect.succeed(true)
}

/**
 * Returns the claim for an `execute` call that has claimed its key. No other process signs for the call's flow, so no
 * other process changes the signature count.
 */
export const claimOf = (ledger: Shape, { key, owner }: Entry): KeyClaim => {
  const entryAfter = (flowId: string, signatures: number) =>
    signatures === 0
      ? ({ owner, state: "claimed" } as const)
      : ({ owner, state: "signing", flowId, signatures } as const)
  return {
    key,
    countSignature: (flowId, number) =>
      Effect.flatMap(
        ledger.advance(key, entryAfter(flowId, number - 1), {
          state: "signing",
          flowId,
          signatures: number,
          resumed: false
        }),
        (won): Effect.Effect<void, ClaimLost> => (won ? Effect.void : Effect.fail({ _tag: "ClaimLost" }))
      ),
    uncountSignature: (flowId, number) =>
      Effect.map(
        readLedger(
          ledger.advance(
            key,
            { ...entryAfter(flowId, number), resumed: false },
            number === 1 ? { state: "claimed" } : { signatures: number - 1 }
          )
        ),
        (won) => won === true
      ),
    // If another process has advanced the entry to `accepted` or `ended`, the entry stays.
    release: Effect.map(
      readLedger(
        Effect.flatMap(ledger.advance(key, { owner, state: "claimed" }, undefined), (won) =>
          won ? Effect.succeed(true) : ledger.advance(key, { owner, state: "signing" }, undefined)
        )
      ),
      (won) => won === true
    )
  }
}
