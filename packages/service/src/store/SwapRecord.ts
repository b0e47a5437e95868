/** A swap as it is stored, the states it goes through, and the transactions that carry it. */
import { Delegation, type Swap } from "@geoswap/core"
import * as Schema from "effect/Schema"

/**
 * The states, in the order in which a swap goes through them. Before funds moved it can become `failed`; afterwards it
 * is `settled` or goes through `refund_prepared` and `refund_sent` to `refunded`.
 *
 * `refund_prepared` is final in one respect: nothing is delivered after it. The refund is signed, or waits until it can
 * be made. Replicas of the previous version know the same states, so no state is ever added without a new database.
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

/** Nothing changes any more. */
export const isTerminal = (state: State): state is "settled" | "failed" | "refunded" =>
  state === "settled" || state === "failed" || state === "refunded"

/** §3: what a caller sees of a state. */
export const statusOf = (state: State): Swap.Status => (isTerminal(state) ? state : "pending")

/** What moves tokens: the input into the vault, the output out of it, or the input back. */
export const Kind = Schema.Literals(["collect", "deliver", "refund"])
export type Kind = typeof Kind.Type

/** What the wallet of an EVM origin signed. */
export const EvmOperation = Schema.TaggedStruct("evm", {
  delegate: Schema.String,
  nonce: Schema.String,
  /** Unix seconds. */
  deadline: Schema.Int,
  /** 65 bytes in hex. */
  signature: Schema.String,
  authorization: Schema.optionalKey(Delegation.Authorization),
  /**
   * The vault that was signed for. Written only if it is not the first one that the configuration lists, so that servers
   * without this field can read the rest. If omitted: the vault that the delegate pays.
   */
  vault: Schema.optionalKey(Schema.String)
})
export type EvmOperation = typeof EvmOperation.Type

/** What the wallet of a Solana origin signed: the transaction without the relayer's signature. */
export const SolanaOperation = Schema.TaggedStruct("solana", {
  /** Base64 of the wire transaction with the wallet's signature. */
  transaction: Schema.String,
  /** The block height after which no chain takes it. */
  lastValidBlockHeight: Schema.String
})
export type SolanaOperation = typeof SolanaOperation.Type

export const SignedOperation = Schema.Union([EvmOperation, SolanaOperation])
export type SignedOperation = typeof SignedOperation.Type

/** Everything that is fixed when a swap is accepted. */
export interface Accepted {
  /** The id that callers know. */
  readonly id: string
  readonly accountId: string
  /** 32 bytes in hex: unique, the `orderId` of the operation and the swap's id in the vaults. */
  readonly orderId: string
  /** What was signed: `geoOpHash`, or the hash of the Solana message. */
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
  /** The network cost pays for a token account of the recipient. */
  readonly opensAccount: boolean
  readonly operation: SignedOperation
  /** When its quote was issued, in milliseconds since 1970; absent in rows of versions that did not store it. */
  readonly quotedAt?: number
  /** The `traceparent` of the request that submitted it, so that its execution belongs to the same trace. */
  readonly trace?: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/** A row of `swaps`. */
export interface SwapRecord extends Accepted {
  readonly state: State
  /** Grows by one with every change; changes are made only to the version that was read. */
  readonly version: number
  readonly updatedAt: number
  /** Whether the output is reserved for it on the destination chain. */
  readonly reserved: boolean
  /** What is refunded, if that is not the whole input. */
  readonly refundAmount?: bigint
  readonly originTxHash?: string
  /** The block of the collect, from its inclusion on: a balance of that block or a newer one does not include the input. */
  readonly originBlock?: bigint
  /** Of a failed swap: its collect that is in a final block and moved nothing. */
  readonly revertedTxHash?: string
  readonly deliveryTxHash?: string
  readonly refundTxHash?: string
  readonly failureCode?: string
}

/** One signed transaction, stored before it is broadcast. */
export interface Attempt {
  /** As it goes to the node: hex on EVM chains, base64 on Solana. */
  readonly raw: string
  /** Its hash on EVM chains, its first signature on Solana. */
  readonly hash: string
  /** EVM chains. */
  readonly nonce?: number
  /** Solana: the block height after which it cannot land. */
  readonly lastValidBlockHeight?: bigint
  /** EVM chains: what it offers, in wei, for the next bump. */
  readonly maxFeePerGas?: bigint
  readonly maxPriorityFeePerGas?: bigint
  /** It only uses the nonce up, and does nothing else. */
  readonly cancels: boolean
  readonly createdAt: number
}

/** One line of a swap's history. */
export interface Event {
  readonly at: number
  readonly state: State
  readonly version: number
  /** What happened, in words. */
  readonly detail: string
}
