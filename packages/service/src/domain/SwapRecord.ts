/** A stored swap, its states, and its transactions. */
import { Delegation, Payment, type Swap } from "@geoswap/core"
import * as Schema from "effect/Schema"

/**
 * The states, in order. Before funds move, a swap can become `failed`. After funds have moved, the swap becomes either
 * `settled`, or `refunded` by way of `refund_prepared` and `refund_sent`.
 *
 * From `refund_prepared` on, nothing is delivered: the refund has been signed or is waiting until it is possible.
 */
export const states = [
  "accepted",
  "origin_prepared",
  "origin_sent",
  "origin_final",
  "delivery_prepared",
  "delivery_sent",
  "settled",
  "failed",
  "refund_prepared",
  "refund_sent",
  "refunded"
] as const

export const State = Schema.Literals(states)
export type State = typeof State.Type

/** Whether a swap in the given state can no longer change. */
export const isTerminal = (state: State): state is "settled" | "failed" | "refunded" =>
  state === "settled" || state === "failed" || state === "refunded"

/** Returns the status that callers see. */
export const statusOf = (state: State): Swap.Status => (isTerminal(state) ? state : "pending")

/**
 * The kinds of transactions: sending the input to the vault, sending the output to the recipient, and sending the input
 * back to the wallet.
 */
export const Kind = Schema.Literals(["collect", "deliver", "refund"])
export type Kind = typeof Kind.Type

/**
 * How an EVM wallet's signature is collected: as a personal_sign signature of its operation, as typed data of its
 * operation, or as a payment without a delegation.
 */
export const CollectMethod = Schema.Literals(["message", "typed", ...Payment.methods])
export type CollectMethod = typeof CollectMethod.Type

/**
 * The signed operation for an EVM origin, or a payment without a delegation. A payment has the zero address as its
 * delegate, and its nonce begins with the name of its nonce space: `permit2:` and the index, or `eip3009:` and the order.
 */
export const EvmOperation = Schema.TaggedStruct("evm", {
  delegate: Schema.String,
  nonce: Schema.String,
  /** The deadline, in Unix seconds. */
  deadline: Schema.Int,
  /** The signature: 65 bytes in hex. */
  signature: Schema.String,
  authorization: Schema.optionalKey(Delegation.Authorization),
  /** The vault that the operation was signed for, which the delegate pays. */
  vault: Schema.String,
  /** How the signature is collected. */
  method: CollectMethod,
  /** `erc2612`: the signature of the permit, 65 bytes in hex. */
  permitSignature: Schema.optionalKey(Schema.String),
  /** A payment: the other provider's contract that the wallet delegated to when the payment was accepted. */
  target: Schema.optionalKey(Schema.String)
})
export type EvmOperation = typeof EvmOperation.Type

/** Returns the method of a payment without a delegation, or `undefined` for an operation. */
export const paymentMethodOf = ({ method }: Pick<EvmOperation, "method">) =>
  method === "message" || method === "typed" ? undefined : method

/** The signed operation for a Solana origin: the transaction without the relayer's signature. */
export const SolanaOperation = Schema.TaggedStruct("solana", {
  /** The wire transaction in base64, with the wallet's signature. */
  transaction: Schema.String,
  /** The last block height at which the transaction is valid. */
  lastValidBlockHeight: Schema.String
})
export type SolanaOperation = typeof SolanaOperation.Type

export const SignedOperation = Schema.Union([EvmOperation, SolanaOperation])
export type SignedOperation = typeof SignedOperation.Type

/** The fields that are fixed when a swap is accepted. */
export interface Accepted {
  /** The swap id that callers use. */
  readonly id: string
  readonly accountId: string
  /** A pseudonym of the visitor to the swap page who submitted the swap. All visitors share one account. */
  readonly visitor?: string
  /** The operation's `orderId`, which is also the swap's id in the vaults: 32 bytes in hex, unique. */
  readonly orderId: string
  /** The hash that was signed: `geoOpHash`, or the Solana message's hash. */
  readonly operationHash: string
  readonly originChain: number
  readonly destinationChain: number
  readonly inputToken: string
  readonly outputToken: string
  readonly wallet: string
  readonly recipient: string
  readonly amount: bigint
  readonly output: bigint
  readonly minOutput: bigint
  /** The hash of the destination chain, the output token, the recipient and the minimum output. */
  readonly terms: string
  readonly feeBps: number
  /** The network cost, in the input token. */
  readonly networkCost: bigint
  /** Whether the network cost includes opening the recipient's token account. */
  readonly opensAccount: boolean
  readonly operation: SignedOperation
  /** When the swap's quote was issued, in Unix milliseconds. */
  readonly quotedAt: number
  /** The submit request's `traceparent`. The execution of the swap continues that trace. */
  readonly trace?: string
  /** When the swap was accepted, in Unix milliseconds. */
  readonly createdAt: number
}

/** A row in the `swaps` table. */
export interface SwapRecord extends Accepted {
  readonly state: State
  /**
   * The value in flight of the wallet or, if that is more, of the account when the swap was accepted, in cents. Missing if
   * it is not known, or if it does not matter on the origin chain.
   */
  readonly atRiskCents?: number
  /**
   * The version, which increases with every change. A change succeeds only if the stored version is still the one that
   * was read.
   */
  readonly version: number
  readonly updatedAt: number
  /** Whether the output is reserved on the destination chain. */
  readonly reserved: boolean
  /** The refunded amount, if it is not the whole input. */
  readonly refundAmount?: bigint
  readonly originTxHash?: string
  /**
   * The block that includes the collection transaction. A balance at that block or a newer block does not include the
   * input.
   */
  readonly originBlock?: bigint
  /**
   * The transaction that reverted in a finalized block: the collection of a failed swap, or a delivery. The output may still
   * have been delivered after that.
   */
  readonly revertedTxHash?: string
  readonly deliveryTxHash?: string
  readonly refundTxHash?: string
  readonly failureCode?: string
  /** When the input had arrived in a final block, in Unix milliseconds. */
  readonly collectedAt?: number
  /**
   * For a settled swap: how much of the output token the recipient received. For a refunded swap: how much of the input
   * token the wallet got back. Missing if an operator closed the swap with a payment of another token or to another
   * address.
   */
  readonly paidAmount?: bigint
}

/** One signed transaction, stored before it is broadcast. */
export interface Attempt {
  /** The transaction as it is sent to the node: hex on EVM chains, base64 on Solana. */
  readonly raw: string
  /** The transaction hash on EVM chains, or the first signature on Solana. */
  readonly hash: string
  /** The relayer's nonce, on EVM chains only. */
  readonly nonce?: number
  /** Solana: the last block height at which the transaction can land. */
  readonly lastValidBlockHeight?: bigint
  /** EVM: the offered fees, in wei per gas. */
  readonly maxFeePerGas?: bigint
  readonly maxPriorityFeePerGas?: bigint
  /**
   * The most that the relayer may pay for the transaction, in the native token's smallest unit. EVM: the gas limit at the
   * offered fee, without what rollups charge for data. Solana: the fees, and the rent of the accounts that it may open.
   */
  readonly maxCost?: bigint
  /** Whether the transaction only uses up the nonce. */
  readonly cancels: boolean
  readonly createdAt: number
}

/** An entry in a swap's history. */
export interface Event {
  readonly at: number
  readonly state: State
  readonly version: number
  /** A description of what happened. */
  readonly detail: string
}
