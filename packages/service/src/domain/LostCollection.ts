/**
 * What the service lost with collections on EVM chains that did not collect the input: transactions that reverted, shares
 * of batches that left a swap out, and cancellations. Their gas counts toward hourly budgets, and the ones that a wallet or
 * its code caused are strikes.
 *
 * A loss counts from the block that includes the transaction on, or as soon as the transaction is expected to fail. It is
 * forgotten if the input is collected nevertheless, unless its transaction is final.
 */

/** What one transaction lost with one swap. */
export interface LostCollection {
  readonly swapId: string
  readonly hash: string
  /** The account that submitted the swap, and the visitor if it is the page's account. */
  readonly account: string
  readonly visitor?: string | undefined
  readonly chainId: number
  /** `delegation`, or the payment method. */
  readonly method: string
  readonly wallet: string
  /** The other provider's contract that the wallet delegates to, if its code rejected the signature. */
  readonly target?: string | undefined
  /** The gas that was used for the swap, or that is expected to be used. */
  readonly gas: bigint
  /** Whether the wallet or its code caused the loss. */
  readonly isStrike: boolean
  /** Whether the transaction is final. */
  readonly isFinal: boolean
  /** When the loss was first seen, in Unix milliseconds. */
  readonly at: number
}

/** The swap is over if it reaches one of these states, so only its final losses count. */
export const forgetIn: ReadonlyArray<string> = ["origin_final", "failed"]
