/** Changes to a swap. */
import type { Attempt, Kind, State, SwapRecord } from "../../domain/SwapRecord.js"

/**
 * A transaction to store with a change: either an intent with its first attempt, or a further attempt for an existing
 * intent.
 */
export interface Intent {
  readonly kind: Kind
  readonly chainId: number
  /** The relayer that signed the attempt. */
  readonly signer: string
  readonly attempt: Attempt
}

/** One change to a swap. It is written either completely or not at all. */
export interface Change {
  /** The swap as it was read. Its id and version must still match. Its fields are written, unless the change has others. */
  readonly swap: SwapRecord
  /** The worker that holds the lease. */
  readonly owner: string
  readonly to: State
  /** A description for the swap's history. It must not contain secrets. */
  readonly detail: string
  readonly originTxHash?: string | undefined
  readonly deliveryTxHash?: string | undefined
  readonly refundTxHash?: string | undefined
  readonly failureCode?: string | undefined
  /** The amount to refund, if it is not the whole input. */
  readonly refundAmount?: bigint | undefined
  /** For `failed`: the collection transaction that reverted in a finalized block. */
  readonly revertedTxHash?: string | undefined
  /** For `settled` and `refunded`: the amount that the recipient received or that the wallet got back. */
  readonly paidAmount?: bigint | undefined
  /**
   * Whether to release the claims of the delivery before the swap has finished. Terminal and refunding states always
   * release them.
   */
  readonly releases?: boolean | undefined
  readonly intent?: Intent | undefined
  /**
   * The block that includes the collection transaction, or `null` if no block includes it. A new collection transaction
   * is not in a block yet.
   */
  readonly originBlock?: bigint | null | undefined
  /**
   * For `origin_final`, `settled` and `refunded`: the block of the transaction that moved the money. These states release
   * the claims on that money. From that block on, balances no longer include the money, so accepting a swap requires
   * balances that were read at that block or later.
   */
  readonly block?: bigint | undefined
}
