/** The storage port: accounts, swaps with their history and transactions, nonces and reservations. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Claim } from "../domain/Claim.js"
import type { Accepted, Attempt, Event, Kind, State, SwapRecord } from "../domain/SwapRecord.js"
import type { Acceptance, Reservation } from "./acceptance/Acceptance.js"
import type { NonceSpace, NonceTaking, NonceWord } from "./acceptance/NonceWord.js"
import type { Batches } from "./batches/BatchStore.js"
import type { SpentGasLedger } from "./costs/GasLedger.js"
import type { DelegationStore } from "./delegations/DelegationStore.js"
import type { RelayerLanes } from "./lanes/LaneStore.js"
import type { LostCollections } from "./limits/LossStore.js"
import type { Conflict, StoreUnavailable } from "./StoreError.js"
import type { Change } from "./swaps/Change.js"

/** An account that owns API keys and swaps. */
export interface Account {
  readonly id: string
  readonly name: string
  readonly createdAt: number
}

/** An API key. Only its holder knows the secret. */
export interface ApiKey {
  readonly id: string
  readonly accountId: string
  readonly accountName: string
  /** The SHA-256 hash of the secret, in hex. */
  readonly hash: string
  /** A label chosen by the person who created the key. */
  readonly label: string
  readonly createdAt: number
  readonly revokedAt?: number
}

/** A filter for swaps. All fields that are set must match. */
export interface Filter {
  readonly state?: State | undefined
  /** `true` selects swaps that are not terminal, and `false` selects terminal swaps. */
  readonly open?: boolean | undefined
  readonly accountId?: string | undefined
  readonly wallet?: string | undefined
  /** Selects swaps accepted at or after this time, in Unix milliseconds. */
  readonly since?: number | undefined
  /** Selects swaps accepted before this time, in Unix milliseconds. */
  readonly until?: number | undefined
  /** The last swap on the previous page of results. */
  readonly after?: Pick<SwapRecord, "createdAt" | "id"> | undefined
  /** Whether to return the oldest swaps first (default: newest first). */
  readonly oldestFirst?: boolean | undefined
  readonly limit: number
}

/** A summary of the pending swaps in one state. */
export interface Underway {
  readonly state: State
  readonly count: number
  /** When the oldest swap was accepted, and when the longest-waiting swap last changed. */
  readonly oldestCreatedAt: number
  readonly oldestUpdatedAt: number
}

/** An amount of a token that a vault must keep. The vault and the token are identified by their address keys. */
export interface Reserved {
  readonly chainId: number
  readonly vault: string
  readonly token: string
  readonly amount: bigint
}

export interface Store {
  /** Returns the account with this name. Creates the account if it does not exist. */
  readonly account: (name: string) => Effect.Effect<Account, StoreUnavailable>
  readonly accounts: Effect.Effect<ReadonlyArray<Account>, StoreUnavailable>
  readonly addApiKey: (key: {
    readonly id: string
    readonly accountId: string
    readonly hash: string
    readonly label: string
  }) => Effect.Effect<ApiKey, StoreUnavailable>
  readonly apiKeys: Effect.Effect<ReadonlyArray<ApiKey>, StoreUnavailable>
  readonly apiKey: (id: string) => Effect.Effect<Option.Option<ApiKey>, StoreUnavailable>
  /** Revokes a key. Returns `false` if the key does not exist or has already been revoked. */
  readonly revokeApiKey: (id: string) => Effect.Effect<boolean, StoreUnavailable>

  /** Returns the word of a wallet's bitmap whose indices are being handed out (default space: `account`). */
  readonly operationWord: (
    chainId: number,
    wallet: string,
    space?: NonceSpace
  ) => Effect.Effect<bigint, StoreUnavailable>
  /**
   * Takes the next free index in the current word of the wallet's bitmap. An index is free if it is neither used on the
   * chain nor by a swap that has not failed. The indices are handed out in turn, across all processes, starting again
   * after the last one. The next word becomes the current one only if this one has no free index, no matter how many
   * indices have been handed out.
   */
  readonly takeOperationNonce: (
    chainId: number,
    wallet: string,
    word: NonceWord,
    space?: NonceSpace
  ) => Effect.Effect<NonceTaking, StoreUnavailable>
  /**
   * Returns whether this index is used by a swap that has not failed. `accept` checks this again in its transaction.
   */
  readonly isOperationNonceUsed: (
    chainId: number,
    wallet: string,
    index: bigint,
    space?: NonceSpace
  ) => Effect.Effect<boolean, StoreUnavailable>

  /**
   * Accepts a swap. Grants all of its claims or none, and writes the swap with its claims and its first event, in one
   * transaction. Accepts at most one swap per `orderId`, and among swaps that have not failed, at most one per chain,
   * wallet and operation index. Accepts nothing at or after `until` (Unix milliseconds), no matter how long the
   * transaction has waited. Concurrent calls may share a transaction. Each call then has the result that it would have if
   * the calls ran one after the other.
   */
  readonly accept: (
    swap: Accepted,
    request: { readonly claims: ReadonlyArray<Claim>; readonly until?: number | undefined }
  ) => Effect.Effect<Acceptance, StoreUnavailable>

  readonly swap: (id: string) => Effect.Effect<Option.Option<SwapRecord>, StoreUnavailable>
  readonly swapOfOrder: (orderId: string) => Effect.Effect<Option.Option<SwapRecord>, StoreUnavailable>
  /**
   * Returns the swap for an expired order, if there is one. If any process started to accept the order in time, first
   * waits for that acceptance to finish. If no swap is returned, the order will never have a swap.
   */
  readonly swapOfExpiredOrder: (orderId: string) => Effect.Effect<Option.Option<SwapRecord>, StoreUnavailable>
  /** Returns which of these swaps have finished. */
  readonly ended: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
  readonly list: (filter: Filter) => Effect.Effect<ReadonlyArray<SwapRecord>, StoreUnavailable>
  /** A summary of the pending swaps for each state. */
  readonly underway: Effect.Effect<ReadonlyArray<Underway>, StoreUnavailable>
  /** The outputs that are claimed from vaults. */
  readonly reserved: Effect.Effect<ReadonlyArray<Reserved>, StoreUnavailable>
  /** The refunds that vaults owe: the inputs that have arrived and whose swaps have not finished. */
  readonly owed: Effect.Effect<ReadonlyArray<Reserved>, StoreUnavailable>
  readonly events: (id: string) => Effect.Effect<ReadonlyArray<Event>, StoreUnavailable>
  /** Returns all attempts at a swap's transaction of this kind, oldest first. */
  readonly attempts: (id: string, kind: Kind) => Effect.Effect<ReadonlyArray<Attempt>, StoreUnavailable>

  /** Claims swaps that are neither terminal nor claimed, oldest first. */
  readonly claim: (claim: {
    readonly owner: string
    readonly leaseMillis: number
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<SwapRecord>, StoreUnavailable>
  /**
   * Claims one swap that is neither terminal nor claimed, even if it was released with an idle time that has not
   * elapsed. Returns `None` if the swap is terminal, claimed, or does not exist.
   */
  readonly claimOne: (claim: {
    readonly id: string
    readonly owner: string
    readonly leaseMillis: number
  }) => Effect.Effect<Option.Option<SwapRecord>, StoreUnavailable>
  /**
   * Renews leases, and returns the ids of the swaps whose leases were renewed. The other swaps have been claimed by
   * another worker.
   */
  readonly renew: (
    owner: string,
    ids: ReadonlyArray<string>,
    leaseMillis: number
  ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
  /** Releases swaps so that a worker can claim them immediately, or after `idleMillis`. */
  readonly release: (
    owner: string,
    ids: ReadonlyArray<string>,
    idleMillis?: number
  ) => Effect.Effect<void, StoreUnavailable>

  /** Changes of wallets' delegations that are not part of a swap. */
  readonly delegations: DelegationStore

  /** Transactions that several swaps share. */
  readonly batches: Batches

  /** The relayers' pending transactions, and which relayers are retired. */
  readonly lanes: RelayerLanes

  /** Collections of payments that were sent and reverted. */
  readonly losses: LostCollections

  /** What the final transactions of swaps cost. */
  readonly spentGas: SpentGasLedger

  /**
   * Releases all swaps and delegation changes. Use this only in a process that knows that no other process is running.
   */
  readonly releaseAll: Effect.Effect<void, StoreUnavailable>

  /** Returns a relayer's next nonce on a chain. */
  readonly nextNonce: (chainId: number, signer: string) => Effect.Effect<number, StoreUnavailable>
  /** Raises a relayer's next nonce to at least this value, because the chain is ahead of the store. */
  readonly raiseNonce: (chainId: number, signer: string, atLeast: number) => Effect.Effect<void, StoreUnavailable>

  /**
   * Changes a swap. An `intent` whose attempt has the relayer's next nonce takes that nonce. Fails with `Conflict` if
   * another transaction took that nonce first. An attempt with the nonce that the intent already has is stored as a
   * further attempt. A state releases the claims of the phases that it ends (see Claim.ts).
   */
  readonly change: (change: Change) => Effect.Effect<SwapRecord, Conflict | StoreUnavailable>

  /**
   * Grants the claims of a swap's delivery again after they were released. Returns the changed swap.
   */
  readonly reserve: (
    swap: SwapRecord,
    owner: string,
    claims: ReadonlyArray<Claim>
  ) => Effect.Effect<Reservation, Conflict | StoreUnavailable>
}

export const Store: Context.Service<Store, Store> = /* @__PURE__ */ Context.Service<Store>("@geoswap/service/Store")
