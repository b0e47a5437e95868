/**
 * Collections of payments without a delegation that were simulated successfully, sent, and then reverted. Their gas counts
 * toward an hourly budget, and the ones that a wallet or its code caused are strikes.
 */
import type * as Effect from "effect/Effect"
import type { StoreUnavailable } from "./Store.js"

/** A reverted collection. Each swap has at most one. */
export interface LostCollection {
  readonly swapId: string
  /** The account that submitted the swap. */
  readonly account: string
  readonly chainId: number
  /** The payment method. */
  readonly method: string
  readonly wallet: string
  /** The other provider's contract that the wallet delegates to, if its code rejected the signature. */
  readonly target?: string | undefined
  /** The gas that the transaction could use. */
  readonly gas: bigint
  /** Whether the wallet or its code caused the revert. */
  readonly isStrike: boolean
  /** When the revert was final, in Unix milliseconds. */
  readonly at: number
}

export interface LostCollections {
  /** Records a reverted collection. Does nothing if the swap's collection has been recorded. */
  readonly record: (lost: LostCollection) => Effect.Effect<void, StoreUnavailable>
  /** Returns the reverted collections on a chain since a time, in Unix milliseconds. */
  readonly since: (chainId: number, time: number) => Effect.Effect<ReadonlyArray<LostCollection>, StoreUnavailable>
}
