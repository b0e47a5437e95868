/** Jobs: what the transactions of a swap must do. */
import type { EvmOperation, SolanaOperation } from "./SwapRecord.js"

/** What a transaction must do. A job is derived from the swap. */
export type Job = CollectJob | SendJob

interface AnyJob {
  /**
   * How many US dollars are at risk if a block with this job's transaction is replaced. It determines when the
   * transaction is final (default: as late as for the largest amounts).
   */
  readonly atRiskUsd?: number
}

/** Collects the input, as authorized by the wallet's signature. */
export interface CollectJob extends AnyJob {
  readonly kind: "collect"
  readonly orderId: string
  readonly wallet: string
  readonly token: string
  readonly amount: bigint
  readonly terms: string
  readonly operation: EvmOperation | SolanaOperation
}

/** Delivers the output or refunds the input. Each order is paid only once. */
export interface SendJob extends AnyJob {
  readonly kind: "deliver" | "refund"
  readonly orderId: string
  readonly token: string
  readonly to: string
  readonly amount: bigint
  /**
   * Solana: whether the caller paid for the recipient's token account. If not, no account is opened. This prevents a
   * recipient from closing the account during each swap and keeping the rent that was paid for the new account.
   */
  readonly opensAccount: boolean
  /**
   * EVM: the vault that pays (default: the vault that earlier attempts use). If there are no earlier attempts, a
   * delivery uses the first vault that can pay for it, and a refund uses the first vault.
   */
  readonly vault?: string
  /** Solana: how many transactions were signed for the job before (default: none). Each one offers a higher fee. */
  readonly tries?: number
}
