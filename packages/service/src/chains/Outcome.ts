/** What the nodes of a chain prove about jobs, orders and operations. */
import type { TransactionCost } from "../domain/SpentGas.js"

/** EVM: what the job's attempts that are in final blocks cost, as far as a node reports it. */
type Costs = ReadonlyArray<TransactionCost>

/** The state of a job's attempts on the chain. */
export type Outcome =
  /** No attempt is included in a block yet, but one can still be included. */
  | { readonly _tag: "Waiting" }
  /**
   * The transaction `hash` is included in `block`, which can still be reorged out. `succeeded`: whether the transaction
   * completed the job. `gas`: on EVM chains, what the transaction used.
   */
  | {
      readonly _tag: "Included"
      readonly hash: string
      readonly succeeded: boolean
      readonly block: bigint
      readonly gas?: bigint
    }
  /**
   * Final: the job was completed in `block`. Balances reflect the job from that block on. `amount`: what was paid, if it
   * is more than the job's amount. This can happen only if a transaction that is not one of our attempts refunds.
   */
  | {
      readonly _tag: "Done"
      readonly hash: string
      readonly block: bigint
      readonly amount?: bigint
      readonly costs?: Costs
    }
  /**
   * Final: no attempt has completed the job, and none of them can complete it anymore. `reverted`: an attempt was
   * included but failed. `replaced`: another transaction used the nonce. `expired`: the blockhash expired. `left out`: a
   * batch was included without the job, or failed as a whole, which proves nothing about the job.
   */
  | {
      readonly _tag: "Dead"
      readonly why: "reverted" | "replaced" | "expired" | "left out"
      readonly hash?: string
      readonly message: string
      /** EVM: the gas that the failed attempt or the batch used, and the time of its block in Unix seconds. */
      readonly gas?: bigint
      readonly time?: number
      readonly costs?: Costs
    }

/** Whether an order was settled by a transaction that is not one of our attempts. */
export type ExternalSettlement =
  /**
   * According to a quorum of nodes, the order is unused at the latest block: no vault has paid it. On Solana, this is
   * always the result, because the chain does not record orders.
   */
  | { readonly _tag: "Unused" }
  /**
   * Final according to a quorum of nodes: the transaction `hash`, in `block`, completed exactly this job. `amount`: what
   * was refunded, if it is more than the job's amount.
   */
  | { readonly _tag: "Done"; readonly hash: string; readonly block: bigint; readonly amount?: bigint }
  /**
   * At least one node reports that the order has been paid, but it is not proven what was paid. Acting now could result
   * in a double payment.
   */
  | { readonly _tag: "Unclear"; readonly message: string }

/**
 * Whether an operation's input was collected, according to a quorum of nodes. Only the vault's events are accepted as
 * proof.
 */
export type Collection =
  /** Final: the transaction contains the vault's `Collected` event for this order, wallet, token, amount and terms. */
  | { readonly _tag: "Collected"; readonly hash: string; readonly block: bigint }
  /**
   * Final: the latest finalized block is past the operation's deadline, and neither that block nor any earlier block
   * contains the event. The operation's input can never be collected. `nodes` are the hosts that report this.
   */
  | { readonly _tag: "Never"; readonly block: bigint; readonly time: number; readonly nodes: ReadonlyArray<string> }
  /** It is not yet proven whether the input was collected. */
  | { readonly _tag: "Open"; readonly message: string }

/**
 * What one transaction paid for an order, according to a quorum of nodes. Only the vaults' events are accepted as
 * proof.
 */
export type Payment =
  /** Final: a vault paid `amount` of `token` to the address `to`. `nodes` are the hosts that report the payment. */
  | {
      readonly _tag: "Paid"
      readonly kind: "deliver" | "refund"
      readonly to: string
      readonly token: string
      readonly amount: bigint
      readonly hash: string
      readonly block: bigint
      readonly nodes: ReadonlyArray<string>
    }
  | { readonly _tag: "Unproven"; readonly message: string }

/** How many of a chain's nodes respond and agree. If fewer than `quorum` agree, no terminal outcome is accepted. */
export interface Agreement {
  /** The number of configured nodes. */
  readonly nodes: number
  readonly agreeing: number
  readonly quorum: number
}

/** The state of an authorization on the chain, and of the transactions that carry it. */
export type DelegationResult =
  /** One of the transactions can still be included, or its block is not final yet. */
  | { readonly _tag: "Waiting" }
  /** Final: the wallet's code is what the authorization asks for. `hash`: our transaction that was included. */
  | { readonly _tag: "Applied"; readonly hash?: string }
  /** Final: the account has used the authorization's nonce, and its code is not what the authorization asks for. */
  | { readonly _tag: "Stale" }
  /** Final: the account has not used the authorization's nonce, and none of the transactions can still be included. */
  | { readonly _tag: "Unused" }
