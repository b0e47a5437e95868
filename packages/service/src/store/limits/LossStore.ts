/** The storage port for what the service lost with collections. */
import type * as Effect from "effect/Effect"
import type { LostCollection } from "../../domain/LostCollection.js"
import type { StoreUnavailable } from "../StoreError.js"

export interface LostCollections {
  /**
   * Records a loss. Replaces what was recorded of the same transaction and swap, except for its time, until it is final.
   * Returns whether anything was written.
   */
  readonly record: (lost: LostCollection) => Effect.Effect<boolean, StoreUnavailable>
  /** Returns the losses on a chain since a time, in Unix milliseconds. */
  readonly since: (chainId: number, time: number) => Effect.Effect<ReadonlyArray<LostCollection>, StoreUnavailable>
}
