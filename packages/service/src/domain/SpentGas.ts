/** Spent gas: what the final transactions of swaps cost on EVM chains. */
import type { Kind } from "./SwapRecord.js"

/** What a final transaction cost. All amounts are in wei. */
export interface TransactionCost {
  readonly hash: string
  readonly gasUsed: bigint
  /** The effective price per gas. */
  readonly gasPrice: bigint
  /** The gas times its price, plus what a rollup charges for the transaction's data. */
  readonly cost: bigint
  /** How many swaps the transaction settled: collected, delivered or refunded. */
  readonly settled: number
  /**
   * The swap's part of the cost. The swaps that the transaction settled share its cost equally, and the others have no
   * part. If it settled none, all of its swaps share the cost.
   */
  readonly share: bigint
}

/** A transaction of a swap in the ledger. */
export interface SpentGas extends TransactionCost {
  readonly swapId: string
  readonly kind: Kind
  readonly chainId: number
  /** When the entry was recorded, in Unix milliseconds. */
  readonly at: number
}
