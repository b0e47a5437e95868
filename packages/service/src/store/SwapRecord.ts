/** A stored swap, its states, and its transactions. */
import { Delegation, type Swap } from "@geoswap/core"
import * as Schema from "effect/Schema"

/**
 * The states, in order. Before funds move, a swap can become `failed`. After that, it becomes `settled`, or `refunded`
 * through `refund_prepared` and `refund_sent`.
 *
 * After `refund_prepared`, nothing is delivered: the refund is signed, or waits until it is possible. Replicas of the
 * previous version know the same states, so a new state requires a new database.
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

/** Whether a swap in this state never changes again. */
export const isTerminal = (state: State): state is "settled" | "failed" | "refunded" =>
  state === "settled" || state === "failed" || state === "refunded"

/** §3: the status that callers see. */
export const statusOf = (state: State): Swap.Status => (isTerminal(state) ? state : "pending")

/** The kinds of transactions: input to the vault, output to the recipient, or input back to the wallet. */
export const Kind = Schema.Literals(["collect", "deliver", "refund"])
export type Kind = typeof Kind.Type

/** The signed operation of an EVM origin. */
export const EvmOperation = Schema.TaggedStruct("evm", {
  delegate: Schema.String,
  nonce: Schema.String,
  /** Unix seconds. */
  deadline: Schema.Int,
  /** 65 bytes in hex. */
  signature: Schema.String,
  authorization: Schema.optionalKey(Delegation.Authorization),
  /**
   * The vault that was signed for (default: the vault that the delegate pays). Written only if it is not the first
   * configured one, so that servers without this field can read the rest.
   */
  vault: Schema.optionalKey(Schema.String)
})
export type EvmOperation = typeof EvmOperation.Type

/** The signed operation of a Solana origin: the transaction without the relayer's signature. */
export const SolanaOperation = Schema.TaggedStruct("solana", {
  /** Base64 of the wire transaction with the wallet's signature. */
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
  /** 32 bytes in hex: unique, the `orderId` of the operation and the swap's id in the vaults. */
  readonly orderId: string
  /** The signed hash: `geoOpHash`, or the hash of the Solana message. */
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
  /** The hash of destination, output token, recipient and minimum output. */
  readonly terms: string
  readonly feeBps: number
  /** In the input token. */
  readonly networkCost: bigint
  /** Whether the network cost pays for a token account of the recipient. */
  readonly opensAccount: boolean
  readonly operation: SignedOperation
  /** When its quote was issued, in Unix milliseconds. Missing in rows of older versions. */
  readonly quotedAt?: number
  /** The `traceparent` of the submit request, which execution continues. */
  readonly trace?: string
  /** Unix milliseconds. */
  readonly createdAt: number
}

/** A row of `swaps`. */
export interface SwapRecord extends Accepted {
  readonly state: State
  /** Increases with every change. A change requires the version that was read. */
  readonly version: number
  readonly updatedAt: number
  /** Whether the output is reserved on the destination chain. */
  readonly reserved: boolean
  /** The refunded amount, if not the whole input. */
  readonly refundAmount?: bigint
  readonly originTxHash?: string
  /** The block that includes the collect. A balance at that block or newer does not include the input. */
  readonly originBlock?: bigint
  /** For a failed swap: the collect that reverted in a final block. */
  readonly revertedTxHash?: string
  readonly deliveryTxHash?: string
  readonly refundTxHash?: string
  readonly failureCode?: string
}

/** One signed transaction, stored before it is broadcast. */
export interface Attempt {
  /** As sent to the node: hex on EVM chains, base64 on Solana. */
  readonly raw: string
  /** Its hash on EVM chains, its first signature on Solana. */
  readonly hash: string
  /** EVM chains. */
  readonly nonce?: number
  /** Solana: the last block height at which it can land. */
  readonly lastValidBlockHeight?: bigint
  /** EVM chains: the offered fees in wei. */
  readonly maxFeePerGas?: bigint
  readonly maxPriorityFeePerGas?: bigint
  /** Whether it only uses up the nonce. */
  readonly cancels: boolean
  readonly createdAt: number
}

/** An entry of a swap's history. */
export interface Event {
  readonly at: number
  readonly state: State
  readonly version: number
  /** A description of what happened. */
  readonly detail: string
}
