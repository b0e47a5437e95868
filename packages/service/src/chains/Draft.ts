/** Transactions before they are signed, and what they cost. */
import type { Job } from "../domain/Job.js"

/** Relayers, in order of preference. */
export type Relayers = readonly [string, ...ReadonlyArray<string>]

/** The most that relayers may pay for their pending transactions, in the native token's smallest unit. */
export interface PendingCosts {
  readonly of: (relayer: string) => bigint
  /**
   * Adds the cost of a transaction, for which the relayer was chosen because `balance` covers it and what was pending.
   * Returns at once, so that no other transaction is added between the comparison and this call.
   */
  readonly add: (relayer: string, cost: bigint, balance: bigint) => void
}

/** Nothing is pending, and nothing is added. */
export const nothingPending: PendingCosts = { of: () => 0n, add: () => {} }

/** A transaction that has been simulated but not signed. */
export interface Draft {
  readonly job: Job
  /** The relayer for which the transaction was simulated. `combine` can choose another one. */
  readonly relayer: string
  /** The data that `sign` needs. Its contents depend on the chain family and are opaque to other code. */
  readonly plan: unknown
  /** EVM: the gas that the transaction would use now. */
  readonly gas?: bigint
  /**
   * The key of a job that can share a transaction with jobs that have the same key. If it is missing, the job must
   * have a separate transaction.
   */
  readonly shares?: string
}

/** One transaction for the first `count` of several drafts. */
export interface CombinedDraft extends Pick<Draft, "relayer" | "plan"> {
  readonly count: number
}

/** A query for a transaction's network cost. */
export interface CostQuery {
  readonly kind: "collect" | "deliver"
  readonly token: string
  /**
   * The payer of a collection or the recipient of a delivery. If omitted, the cost is the one for a payer that is
   * already delegated, or for a recipient without code that already holds the token.
   */
  readonly party?: string
  /** Solana: whether a delivery pays for the recipient's token account. */
  readonly opensAccount: boolean
  /** EVM: the transaction's gas, if it is already known. */
  readonly gas?: bigint
}

/** A query for the most that a transaction may cost the relayer. */
export interface MostCostQuery extends Omit<CostQuery, "kind"> {
  readonly kind: "collect" | "deliver" | "refund"
  /**
   * EVM: whether a collection carries an authorization (default: whether the party is not delegated yet). The gas of a
   * payment without a delegation varies, so such a query requires the `gas` of its simulation.
   */
  readonly authorizes?: boolean
}

/** The gas for a delivery on an EVM chain. */
export interface DeliveryGas {
  /** The gas that a quote charges for: what the delivery needs now, or a usual amount if it would revert. */
  readonly charged: bigint
  /** The gas that the delivery would use now, or 0 if it would revert. */
  readonly needed: bigint
}

/** A Solana transaction for the wallet to sign. */
export interface UnsignedTransaction {
  /** The wire transaction in base64, without signatures. */
  readonly transaction: string
  readonly lastValidBlockHeight: bigint
}

/** A transaction that carries a wallet's authorization and does nothing else, before it is signed. */
export interface DelegationDraft {
  /** The relayer that must sign the transaction. */
  readonly relayer: string
  /** The transaction's gas limit. */
  readonly gas: bigint
  /** The data that `sign` needs. */
  readonly plan: unknown
}
