/** What a change writes to the tables of a swap, in the form in which it is stored. */
import type * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Phase } from "../../domain/Claim.js"
import type { State, SwapRecord } from "../../domain/SwapRecord.js"
import type { OperationNonce } from "../acceptance/operationNonces.js"
import type { Release } from "../acceptance/releases.js"
import type { AttemptRow } from "../sql/rows.js"

/** A transaction of a swap, and the nonce that it uses. */
export interface IntentWrite {
  readonly kind: string
  readonly chainId: number
  /** The relayer's address key. */
  readonly signer: string
  readonly nonce: number | null
  readonly attempt: AttemptRow
}

export interface SwapWrite {
  readonly id: string
  /** The version and the owner that the swap must still have. */
  readonly version: number
  readonly owner: string
  readonly to: State
  readonly now: number
  readonly detail: string
  /** Values for columns of `swaps`. A column with NULL keeps its value. */
  readonly originTxHash: string | null
  readonly deliveryTxHash: string | null
  readonly refundTxHash: string | null
  readonly failureCode: string | null
  /** The phases whose claims are released. */
  readonly ends: ReadonlyArray<Phase>
  /** The block with which the claims of the collection and of the refund are marked, or NULL to remove it. */
  readonly includedAt: string | null | undefined
  readonly refundAmount: string | undefined
  readonly originBlock: string | null | undefined
  readonly revertedTxHash: string | undefined
  readonly paidAmount: string | undefined
  /** The nonce to assign to the swap. */
  readonly nonce: OperationNonce | undefined
  readonly intent: IntentWrite | undefined
  /** Whether losses that are not final are forgotten. */
  readonly forgetsLosses: boolean
  /** The money that has moved, if claims on it are released. */
  readonly release: Release | undefined
}

/** The result of a write. Only `Changed` leaves anything written. */
export type Written =
  /** The swap as it was before the other tables were written. */
  | { readonly _tag: "Changed"; readonly swap: SwapRecord }
  /** The swap has another version or another owner, or it has finished. */
  | { readonly _tag: "Stale" }
  /** The intent's nonce is not the relayer's next nonce. */
  | { readonly _tag: "NonceTaken" }

/** Writes a change completely or not at all. The result `NonceTaken` must roll the transaction back. */
export type WriteSwap = (write: SwapWrite) => Effect.Effect<Written, SqlError>
