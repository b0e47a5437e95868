/** The storage port for changes of wallets' delegations. */
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AcceptedChange, DelegationChange, State } from "../../domain/DelegationChange.js"
import type { Attempt } from "../../domain/SwapRecord.js"
import type { Conflict, StoreUnavailable } from "../StoreError.js"

/** The gas that an account may use for its changes within a period. */
export interface GasBudget {
  readonly gas: number
  /** The part of `gas` that only wallets that have paid for a swap can use, to remove their delegation. */
  readonly kept: number
  readonly periodMillis: number
}

/** The result of accepting a change. */
export type ChangeAcceptance =
  | { readonly _tag: "Inserted"; readonly change: DelegationChange }
  /** The account has already sent an authorization with this wallet, chain, nonce and target. It has not failed. */
  | { readonly _tag: "Existing"; readonly change: DelegationChange }
  /** A change to another target, or from another account, has this wallet, chain and nonce. It has not failed. */
  | { readonly _tag: "NonceUsed" }
  /** The wallet has a swap on this chain whose input has not arrived. */
  | { readonly _tag: "SwapInProgress" }
  /** The budget does not cover the change's gas. It does at `freeAt` (Unix milliseconds), if ever. */
  | { readonly _tag: "BudgetUsed"; readonly used: number; readonly freeAt?: number }

/** A wallet's authorization on a chain. Only one authorization with a given nonce can take effect. */
export interface ChangeKey {
  readonly chainId: number
  readonly wallet: string
  readonly nonce: number
}

/** One step of a change. It is written either completely or not at all. */
interface ChangeStep {
  /** The change as it was read. Its id and version must still match. */
  readonly change: DelegationChange
  readonly to: State
  /**
   * A transaction to store. An attempt with the relayer's next nonce takes that nonce. An attempt with the nonce of an
   * earlier attempt replaces that attempt.
   */
  readonly intent?: { readonly signer: string; readonly attempt: Attempt } | undefined
  readonly txHash?: string | undefined
  readonly failureCode?: string | undefined
}

/**
 * Delegation changes. At most one change per wallet, chain and account nonce has not failed, which makes accepting a
 * change idempotent. An account's budget is the sum of its rows, so it needs no separate counter.
 */
export interface DelegationStore {
  /**
   * Accepts a change, unless the wallet has a swap on the chain whose input has not arrived, or the account has used up
   * its budget. After the input has arrived, a swap does not need the delegation, and a change must not wait for a
   * delivery or a refund that cannot be made. A swap may still be accepted at the same time. That is harmless: a swap
   * whose wallet is no longer delegated fails before any funds move.
   */
  readonly accept: (change: AcceptedChange, budget: GasBudget) => Effect.Effect<ChangeAcceptance, StoreUnavailable>
  readonly byId: (id: string) => Effect.Effect<Option.Option<DelegationChange>, StoreUnavailable>
  /** Returns the change that has this key and has not failed. */
  readonly byKey: (key: ChangeKey) => Effect.Effect<Option.Option<DelegationChange>, StoreUnavailable>
  /** Returns all transactions of a change, oldest first. */
  readonly attempts: (id: string) => Effect.Effect<ReadonlyArray<Attempt>, StoreUnavailable>
  /**
   * Claims changes on a chain that are neither terminal nor claimed by another worker, oldest first. Renews this worker's
   * leases. The limit is per chain, so that the changes on a chain that does not respond hold up no other chain.
   */
  readonly claim: (claim: {
    readonly chainId: number
    readonly owner: string
    readonly leaseMillis: number
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<DelegationChange>, StoreUnavailable>
  /** Writes a step. Fails with `Conflict` like the `change` of a swap. */
  readonly step: (step: ChangeStep) => Effect.Effect<DelegationChange, Conflict | StoreUnavailable>
}
