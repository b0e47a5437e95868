/** Reads chains through nodes that the caller has chosen, never through the service. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { throwIfAborted } from "./codecs/abortReason.js"
import type { Hex } from "./Hex.js"
import type { Method } from "./Payment.js"
import { hasTag } from "./codecs/hasTag.js"
import { ReaderError } from "./SwapError.js"

/**
 * The state of a signed operation at a finalized block. `used`: the operation was executed. `expired`: it was not
 * executed and never can be. `open`: neither is certain yet.
 */
export type SignedState = "used" | "expired" | "open"

/** Token metadata, as read from the chain. */
export interface TokenFacts {
  readonly decimals: number
  readonly symbol?: string
}

/** A token on a chain. */
export interface TokenQuery {
  readonly chainId: number
  readonly address: string
}

/** Identifies a signed operation on an EVM origin chain. */
export interface OperationQuery {
  readonly chainId: number
  readonly wallet: string
  readonly delegate: string
  readonly nonce: bigint
  /** The deadline, in Unix seconds. */
  readonly deadline: number
}

/** Identifies a signed payment without a delegation on an EVM origin chain. */
export interface PaymentQuery {
  readonly chainId: number
  readonly wallet: string
  readonly method: Exclude<Method, "delegation">
  readonly token: string
  /** The nonce that the token or Permit2 records as used. With EIP-3009, the hash of the order. */
  readonly nonce: bigint
  /** The deadline, in Unix seconds. */
  readonly deadline: number
}

/** A signed transaction on a Solana origin chain. */
export interface TransactionQuery {
  readonly chainId: number
  /**
   * The transaction, in base64. To find the transaction on the chain, compare messages instead of signatures, because
   * the signatures may be empty and the fee payer can sign the transaction again.
   */
  readonly signedTransaction: string
  /**
   * When the transaction was signed, in Unix milliseconds. If this is omitted, a transaction that is not found stays
   * `open`, because its age is unknown.
   */
  readonly signedAt?: number
}

/** An account on an EVM chain. */
interface AccountQuery {
  readonly chainId: number
  readonly address: string
}

/** The balance of one token in one wallet. */
export interface BalanceQuery {
  readonly chainId: number
  /** The token's address, or `Chain.nativeToken` for the native token. */
  readonly token: string
  readonly wallet: string
}

/** A payment out of a vault: the output of an order, or the refund of its input. */
export interface PayoutQuery {
  readonly kind: "delivery" | "refund"
  readonly chainId: number
  /** The transaction to read. Anyone may have named it: only what it did proves the payment. */
  readonly txHash: string
  /** The order that the wallet signed. */
  readonly orderId: string
  /** The vaults that may have paid. */
  readonly vaults: ReadonlyArray<string>
  readonly recipient: string
  /** The token's address, or `Chain.nativeToken` for the native token. */
  readonly token: string
  /** In Unix milliseconds. A payment before this time belongs to another swap. */
  readonly since: number
}

/** Reads EVM chains. Fails with `ReaderError` for an unknown chain. */
export interface Evm {
  /** The ids of the chains that it reads. If this is missing, it may read any chain. */
  readonly chains?: ReadonlyArray<number>
  /**
   * Checks, at a finalized block, whether the wallet has used the operation's nonce and whether the operation's
   * deadline has passed.
   */
  readonly operationState: (operation: OperationQuery) => Effect.Effect<SignedState, ReaderError>
  /**
   * Checks, at a finalized block, whether the payment's nonce is used and whether its deadline has passed. A holder can
   * also use up a nonce by canceling. If this method is missing, every payment is `open`.
   */
  readonly paymentState?: (payment: PaymentQuery) => Effect.Effect<SignedState, ReaderError>
  /** Reads the nonce of the account's next transaction. */
  readonly accountNonce: (account: AccountQuery) => Effect.Effect<number, ReaderError>
  /**
   * Reads the account's code: `0x` for a wallet without a delegation, or `0xef0100` and the delegate's address. If this
   * method is missing, `delegate` and `undelegate` use what the service reports.
   */
  readonly accountCode?: (account: AccountQuery) => Effect.Effect<Hex, ReaderError>
  readonly token: (token: TokenQuery) => Effect.Effect<TokenFacts, ReaderError>
  /** Reads a balance in the token's smallest unit. Required only for `balances`. */
  readonly balance?: (query: BalanceQuery) => Effect.Effect<bigint, ReaderError>
  /**
   * Returns the amount that the transaction paid for the order, in the token's smallest unit. Returns 0 if the transaction
   * is not in a finalized block, or if it did not make this payment. If this method is missing, no outcome is proved.
   */
  readonly payout?: (query: PayoutQuery) => Effect.Effect<bigint, ReaderError>
}

/** Reads Solana networks. Fails with `ReaderError` for an unknown network. */
export interface Solana {
  /** The ids of the networks that it reads. If this is missing, it may read any network. */
  readonly chains?: ReadonlyArray<number>
  /** Checks, at `finalized` commitment, whether the transaction has landed or can no longer land. */
  readonly transactionState: (transaction: TransactionQuery) => Effect.Effect<SignedState, ReaderError>
  readonly token: (token: TokenQuery) => Effect.Effect<TokenFacts, ReaderError>
  /** Reads a balance in the token's smallest unit. Required only for `balances`. */
  readonly balance?: (query: BalanceQuery) => Effect.Effect<bigint, ReaderError>
  /**
   * Returns the amount that the transaction paid for the order, in the token's smallest unit. Returns 0 if the transaction
   * is not in a finalized block, or if it did not make this payment. If this method is missing, no outcome is proved.
   */
  readonly payout?: (query: PayoutQuery) => Effect.Effect<bigint, ReaderError>
}

/** The client's readers, one per chain family. Both are optional. */
export interface ChainReader {
  readonly evm?: Evm
  readonly solana?: Solana
}

/** The readers that the swap programs use (default: none). */
export const ChainReader = /* @__PURE__ */ Context.Reference<ChainReader>("@geoswap/core/ChainReader", {
  defaultValue: () => ({})
})

/** Holds the signal that aborts a call to a promise-returning reader if the result is no longer needed. */
interface Abort {
  readonly signal: AbortSignal
}

type InPromises<Reader> = {
  readonly [Method in keyof Reader]: NonNullable<Reader[Method]> extends (
    query: infer Query
  ) => Effect.Effect<infer Answer, ReaderError>
    ? (query: Query, abort?: Abort) => Promise<Answer>
    : Reader[Method]
}

/** An EVM reader whose methods return promises. */
export type PromiseEvmReader = InPromises<Evm>

/** A Solana reader whose methods return promises. */
export type PromiseSolanaReader = InPromises<Solana>

/**
 * Converts a reader's method to one that returns an effect. Drops errors from the library that calls the node, because
 * such errors contain the node's URL, which often includes an API key.
 */
const lift =
  <Query, Answer>(reader: object, method: (query: Query, abort?: Abort) => Promise<Answer>) =>
  (query: Query): Effect.Effect<Answer, ReaderError> =>
    Effect.tryPromise({
      try: async (signal) => method.call(reader, query, { signal }),
      catch: (thrown) =>
        hasTag("ReaderError", thrown)
          ? thrown
          : new ReaderError({ message: "The data could not be read from your own node." })
    })

const lower =
  <Query, Answer>(method: (query: Query) => Effect.Effect<Answer, ReaderError>) =>
  async (query: Query, { signal }: Partial<Abort> = {}): Promise<Answer> => {
    throwIfAborted(signal)
    const exit = await Effect.runPromiseExit(method(query), signal && { signal })
    if (exit._tag === "Success") return exit.value
    throwIfAborted(signal)
    throw Cause.squash(exit.cause)
  }

/** Creates an EVM reader from functions that return promises. */
export const evmFromPromise = (reader: PromiseEvmReader): Evm => ({
  ...(reader.chains && { chains: reader.chains }),
  operationState: lift(reader, reader.operationState),
  ...(reader.paymentState && { paymentState: lift(reader, reader.paymentState) }),
  accountNonce: lift(reader, reader.accountNonce),
  ...(reader.accountCode && { accountCode: lift(reader, reader.accountCode) }),
  token: lift(reader, reader.token),
  ...(reader.balance && { balance: lift(reader, reader.balance) }),
  ...(reader.payout && { payout: lift(reader, reader.payout) })
})

/** Creates a Solana reader from functions that return promises. */
export const solanaFromPromise = (reader: PromiseSolanaReader): Solana => ({
  ...(reader.chains && { chains: reader.chains }),
  transactionState: lift(reader, reader.transactionState),
  token: lift(reader, reader.token),
  ...(reader.balance && { balance: lift(reader, reader.balance) }),
  ...(reader.payout && { payout: lift(reader, reader.payout) })
})

/** Converts an EVM reader to one whose methods return promises. */
export const evmToPromise = (reader: Evm): PromiseEvmReader => ({
  ...(reader.chains && { chains: reader.chains }),
  operationState: lower(reader.operationState),
  ...(reader.paymentState && { paymentState: lower(reader.paymentState) }),
  accountNonce: lower(reader.accountNonce),
  ...(reader.accountCode && { accountCode: lower(reader.accountCode) }),
  token: lower(reader.token),
  ...(reader.balance && { balance: lower(reader.balance) }),
  ...(reader.payout && { payout: lower(reader.payout) })
})

/** Converts a Solana reader to one whose methods return promises. */
export const solanaToPromise = (reader: Solana): PromiseSolanaReader => ({
  ...(reader.chains && { chains: reader.chains }),
  transactionState: lower(reader.transactionState),
  token: lower(reader.token),
  ...(reader.balance && { balance: lower(reader.balance) }),
  ...(reader.payout && { payout: lower(reader.payout) })
})

/** A layer that provides the client's readers. */
export const layer = (readers: ChainReader): Layer.Layer<never> => Layer.succeed(ChainReader, readers)
