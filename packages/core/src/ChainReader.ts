/** The caller's own view of the chains, through nodes that the caller chose. Never the service's. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ReaderError } from "./SwapError.js"

/**
 * What became of something that was signed, at a finalized block. `used`: it was executed. `expired`: it was not, and
 * never can be. `open`: anything else.
 */
export type SignedState = "used" | "expired" | "open"

/** What a token says about itself on its chain. */
export interface TokenFacts {
  readonly decimals: number
  readonly symbol?: string
}

/** A token on a chain. */
export interface TokenQuery {
  readonly chainId: number
  readonly address: string
}

/** What identifies a signed operation of an EVM origin. */
export interface OperationQuery {
  readonly chainId: number
  readonly wallet: string
  readonly delegate: string
  readonly nonce: bigint
  /** Unix seconds. */
  readonly deadline: number
}

/** A signed transaction of a Solana origin. */
export interface TransactionQuery {
  readonly chainId: number
  /** Base64. Look for its message: its signatures may be empty, and the fee payer can make others. */
  readonly signedTransaction: string
  /** Unix milliseconds. If omitted, a transaction that did not land stays `open`: it may have landed at any time. */
  readonly signedAt?: number
}

/** An account on an EVM chain. */
export interface AccountQuery {
  readonly chainId: number
  readonly address: string
}

/** Reads EVM chains. A chain that it does not know is a `ReaderError`. */
export interface EvmReader {
  /** At a finalized block: has the wallet's account used this nonce, and is the deadline past? */
  readonly operationState: (operation: OperationQuery) => Effect.Effect<SignedState, ReaderError>
  /** The nonce of the account's next transaction. */
  readonly accountNonce: (account: AccountQuery) => Effect.Effect<number, ReaderError>
  readonly token: (token: TokenQuery) => Effect.Effect<TokenFacts, ReaderError>
}

/** Reads Solana networks. A network that it does not know is a `ReaderError`. */
export interface SolanaReader {
  /** At finalized commitment: did the signed transaction land, or can it never? */
  readonly transactionState: (transaction: TransactionQuery) => Effect.Effect<SignedState, ReaderError>
  readonly token: (token: TokenQuery) => Effect.Effect<TokenFacts, ReaderError>
}

/** The readers of a client, one per chain family. Both are optional. */
export interface Shape {
  readonly evm?: EvmReader
  readonly solana?: SolanaReader
}

/** The readers that the programs use; none unless provided. */
export const ChainReader = /* @__PURE__ */ Context.Reference<Shape>("@geoswap/core/ChainReader", {
  defaultValue: () => ({})
})

/** How a promise-returning reader learns that its answer is no longer needed. */
interface Abort {
  readonly signal: AbortSignal
}

type InPromises<Reader> = {
  readonly [Method in keyof Reader]: Reader[Method] extends (
    query: infer Query
  ) => Effect.Effect<infer Answer, ReaderError>
    ? (query: Query, abort?: Abort) => Promise<Answer>
    : never
}

/** An EVM reader in promises. */
export type PromiseEvmReader = InPromises<EvmReader>

/** A Solana reader in promises. */
export type PromiseSolanaReader = InPromises<SolanaReader>

/** A rejection as one of our errors. What a node's client throws is left out: it holds the node's URL, often with a key. */
const lift =
  <Query, Answer>(reader: object, method: (query: Query, abort?: Abort) => Promise<Answer>) =>
  (query: Query): Effect.Effect<Answer, ReaderError> =>
    Effect.tryPromise({
      try: async (signal) => method.call(reader, query, { signal }),
      catch: (thrown) =>
        thrown instanceof ReaderError ? thrown : new ReaderError({ message: "Your own node could not be read." })
    })

const lower =
  <Query, Answer>(method: (query: Query) => Effect.Effect<Answer, ReaderError>) =>
  async (query: Query, { signal }: Partial<Abort> = {}): Promise<Answer> => {
    signal?.throwIfAborted()
    const exit = await Effect.runPromiseExit(method(query), signal && { signal })
    if (exit._tag === "Success") return exit.value
    signal?.throwIfAborted()
    throw Cause.squash(exit.cause)
  }

/** An EVM reader from functions that return promises. */
export const evmFromPromise = (reader: PromiseEvmReader): EvmReader => ({
  operationState: lift(reader, reader.operationState),
  accountNonce: lift(reader, reader.accountNonce),
  token: lift(reader, reader.token)
})

/** A Solana reader from functions that return promises. */
export const solanaFromPromise = (reader: PromiseSolanaReader): SolanaReader => ({
  transactionState: lift(reader, reader.transactionState),
  token: lift(reader, reader.token)
})

/** An EVM reader in promises from one in effects. */
export const evmToPromise = (reader: EvmReader): PromiseEvmReader => ({
  operationState: lower(reader.operationState),
  accountNonce: lower(reader.accountNonce),
  token: lower(reader.token)
})

/** A Solana reader in promises from one in effects. */
export const solanaToPromise = (reader: SolanaReader): PromiseSolanaReader => ({
  transactionState: lower(reader.transactionState),
  token: lower(reader.token)
})

/** The readers of a client, as a layer. */
export const layer = (readers: Shape): Layer.Layer<never> => Layer.succeed(ChainReader, readers)
