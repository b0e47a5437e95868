/** The storage port for batches: signed transactions that several swaps share. */
import type * as Effect from "effect/Effect"
import type { Kind, SwapRecord } from "../../domain/SwapRecord.js"
import type { Conflict, StoreUnavailable } from "../StoreError.js"
import type { Change, Intent } from "../swaps/Change.js"

/** A change to one of the swaps that share a transaction. */
export type BatchItem = Omit<Change, "intent">

/** The result of replacing a batch. */
export type Replacement =
  | { readonly _tag: "Replaced"; readonly swap: SwapRecord }
  /** Another worker has already stored a replacement. Read the attempts again. */
  | { readonly _tag: "AlreadyReplaced" }

export interface Batches {
  /**
   * Stores a transaction for at least two swaps and changes all of them. Takes the relayer's nonce once. Writes nothing
   * and fails with `Conflict` if another transaction took the nonce, or if one of the swaps has changed. In that case,
   * the error has the swap's id. A swap can be in only one batch per kind. A transaction without a nonce (Solana) is
   * stored as an attempt of each swap, and is never replaced.
   */
  readonly write: (
    items: ReadonlyArray<BatchItem>,
    intent: Intent
  ) => Effect.Effect<ReadonlyArray<SwapRecord>, Conflict | StoreUnavailable>
  /**
   * Stores an attempt that replaces the batch's newest attempt, which must have the hash `replaced`. Stores it for all
   * swaps whose newest attempt that is, and changes one of these swaps.
   */
  readonly replace: (
    item: BatchItem,
    intent: Intent,
    replaced: string
  ) => Effect.Effect<Replacement, Conflict | StoreUnavailable>
  /**
   * Returns the swaps that share a swap's transaction of this kind, including that swap. Empty if there is no batch with a
   * nonce.
   */
  readonly members: (id: string, kind: Kind) => Effect.Effect<ReadonlyArray<SwapRecord>, StoreUnavailable>
}
