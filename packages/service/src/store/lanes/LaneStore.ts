/** The storage port for relayer lanes: what each relayer has pending, and which relayers are retired. */
import type * as Effect from "effect/Effect"
import type { StoreUnavailable } from "../StoreError.js"

/** What the store knows about one relayer on one chain. */
export interface Lane {
  readonly chainId: number
  /** The relayer's address key. */
  readonly relayer: string
  /** How many transactions from this relayer are signed but not in a block. */
  readonly pending: number
  /** When the oldest of these transactions was first signed, in Unix milliseconds. */
  readonly oldestAt?: number
  /**
   * How many swaps and delegation changes have a transaction from this relayer that is not final, including the pending
   * ones.
   */
  readonly unfinished: number
  /**
   * The most that the relayer may pay for its transactions that are not final, in the native token's smallest unit. The
   * swaps of a batch share one transaction, and of the attempts with the same nonce, only the most expensive one counts.
   */
  readonly pendingCost: bigint
  /** EVM: the relayer's next nonce, if it has one. `pendingCost` includes no transaction with this nonce or a later one. */
  readonly nextNonce?: number
  /** When the relayer was retired, in Unix milliseconds. A retired relayer signs only replacements. */
  readonly retiredAt?: number
}

/** The result of retiring a relayer. */
export type Retirement =
  | { readonly _tag: "Retired" }
  | { readonly _tag: "AlreadyRetired" }
  /** No other relayer would be left to send transactions on the chain. */
  | { readonly _tag: "LastRelayer" }

export interface RelayerLanes {
  /** All relayers that are or were retired, or that have a nonce or unfinished transactions. */
  readonly all: Effect.Effect<ReadonlyArray<Lane>, StoreUnavailable>
  /**
   * Returns a relayer's next nonce, like `nextNonce`, and the most that it may pay for its transactions with the nonce
   * `since` or a later one.
   */
  readonly next: (
    chainId: number,
    relayer: string,
    since: number
  ) => Effect.Effect<{ readonly nonce: number; readonly cost: bigint }, StoreUnavailable>
  /**
   * Retires one of a chain's relayers, unless all others are retired. `relayers` are all configured relayers of the
   * chain.
   */
  readonly retire: (
    chainId: number,
    relayer: string,
    relayers: ReadonlyArray<string>
  ) => Effect.Effect<Retirement, StoreUnavailable>
  /** Lets a retired relayer send transactions again. Returns `false` if it was not retired. */
  readonly restore: (chainId: number, relayer: string) => Effect.Effect<boolean, StoreUnavailable>
}
