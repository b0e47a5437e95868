/** The port to what is remembered: accounts, swaps with their history and transactions, nonces and reservations. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Holding } from "../chains/Chains.js"
import type { Accepted, Attempt, Event, Kind, State, SwapRecord } from "./SwapRecord.js"

/** The database did not answer. Nothing is known about the last write. */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  message: Schema.String
}) {}

/** Somebody else changed the swap, or took it over, since it was read: read it again. Nothing was written. */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", {
  message: Schema.String,
  /** Only the relayer's nonce was taken by another: the swap is still as it was read. */
  nonce: Schema.optionalKey(Schema.Boolean)
}) {}

/** What submit met. */
export type Acceptance =
  | { readonly _tag: "Inserted"; readonly swap: SwapRecord }
  /** The same operation was accepted before. */
  | { readonly _tag: "Existing"; readonly swap: SwapRecord }
  /** The quote is used by another operation, or by another account. */
  | { readonly _tag: "QuoteUsed" }
  /** Another operation of the wallet with the same nonce became a swap, and that has not failed. */
  | { readonly _tag: "NonceUsed" }
  /** Its time is over: another process may have refused it already. */
  | { readonly _tag: "Late" }
  /** The wallet's swaps under way and this one are more than it has. */
  | { readonly _tag: "BalanceInFlight"; readonly inFlight: bigint }
  /** What is promised already and this output are more than the inventory. */
  | { readonly _tag: "InventoryReserved"; readonly reserved: bigint }
  /**
   * A reservation was released at a block that is newer than what was read, so that neither shows that money. Nothing was
   * decided: read both again, at these blocks or newer ones.
   */
  | { readonly _tag: "Outdated"; readonly balanceSince: bigint; readonly inventorySince: bigint }

/** What chains can bear, as a node showed it. */
export interface Limits {
  /** What the wallet has of the input. */
  readonly balance: Holding
  /** What the destination can send of the output. */
  readonly inventory: Holding
}

/** The result of reserving the output of a swap again. */
export type Reservation =
  | { readonly _tag: "Reserved"; readonly swap: SwapRecord }
  /** What is promised to others and this output are more than the inventory. */
  | { readonly _tag: "Full"; readonly reserved: bigint }
  /** A reservation was released at a newer block than the inventory is of: read it again, at this block or a newer one. */
  | { readonly _tag: "Outdated"; readonly inventorySince: bigint }

/** A transaction that a change stores along: an intent with its first attempt, or one more attempt. */
export interface Intent {
  readonly kind: Kind
  readonly chainId: number
  /** The relayer that signed it. */
  readonly signer: string
  readonly attempt: Attempt
}

/** One step of a swap. All of it is written, or nothing. */
export interface Change {
  /** The swap as it was read: id and version must still be those. */
  readonly swap: SwapRecord
  /** Who holds the lease. */
  readonly owner: string
  readonly to: State
  /** For the history, in words; no secret. */
  readonly detail: string
  readonly originTxHash?: string | undefined
  readonly deliveryTxHash?: string | undefined
  readonly refundTxHash?: string | undefined
  readonly failureCode?: string | undefined
  /** What is to be refunded, if that is not the whole input. */
  readonly refundAmount?: bigint | undefined
  /** For `failed`: the collect that is in a final block and moved nothing. */
  readonly revertedTxHash?: string | undefined
  /** Releases the reserved output before the swap has ended. Terminal and refunding states do that in any case. */
  readonly releases?: boolean | undefined
  readonly intent?: Intent | undefined
  /** The block that includes the collect, or null if no block does any more. A new collect is in no block. */
  readonly originBlock?: bigint | null | undefined
  /**
   * For `origin_final` and `settled`: the block of the transaction that moved the money. What these states release is
   * missing in balances from that block on, so that an acceptance needs one that is not older.
   */
  readonly block?: bigint | undefined
}

/** 256 indices of a wallet's operations as the chain has them. */
export interface NonceWord {
  /** The word of index `i` is `i >> 8n`. */
  readonly word: bigint
  /** Bit `i & 255n` is set if index `i` is used. */
  readonly used: bigint
}

/** What a word of a wallet's bitmap gave. */
export type NonceTaking =
  | { readonly _tag: "Taken"; readonly index: bigint }
  /** The word has no free index left, or the counter is in another word: read the word of `next`. */
  | { readonly _tag: "Elsewhere"; readonly next: bigint }

/** An account, to which API keys and swaps belong. */
export interface Account {
  readonly id: string
  readonly name: string
  readonly createdAt: number
}

/** What is known of an API key; the key itself is known to its holder alone. */
export interface ApiKey {
  readonly id: string
  readonly accountId: string
  readonly accountName: string
  /** SHA-256 of the secret in hex. */
  readonly hash: string
  /** What it is for, in its maker's words. */
  readonly label: string
  readonly createdAt: number
  readonly revokedAt?: number
}

/** Which swaps to list: those that fit all that is given. */
export interface Filter {
  readonly state?: State | undefined
  /** Not terminal, where true; terminal, where false. */
  readonly open?: boolean | undefined
  readonly accountId?: string | undefined
  readonly wallet?: string | undefined
  /** Accepted at or after this, in milliseconds since 1970. */
  readonly since?: number | undefined
  /** Accepted before this. */
  readonly until?: number | undefined
  /** The last one of the page before, to go on behind it. */
  readonly after?: Pick<SwapRecord, "createdAt" | "id"> | undefined
  /** Newest first unless told otherwise. */
  readonly oldestFirst?: boolean | undefined
  readonly limit: number
}

/** Swaps that are under way in one state. */
export interface Underway {
  readonly state: State
  readonly count: number
  /** When the oldest of them was accepted, and when the one that waits longest was last changed. */
  readonly oldestCreatedAt: number
  readonly oldestUpdatedAt: number
}

/** What is promised of a token on a chain; the token in the form in which addresses are compared. */
export interface Reserved {
  readonly chainId: number
  readonly token: string
  readonly amount: bigint
}

export interface Shape {
  /** Makes an account, or finds the one of that name. */
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
  /** False where there is no such key, or it was revoked before. */
  readonly revokeApiKey: (id: string) => Effect.Effect<boolean, StoreUnavailable>

  /** The next index of a wallet's operations on a chain, without taking it. */
  readonly nextOperationNonce: (chainId: number, wallet: string) => Effect.Effect<bigint, StoreUnavailable>
  /**
   * Takes the first index at or after the next one that is free in a word of the wallet's bitmap. Every index is handed
   * out at most once, to whichever process asks first.
   */
  readonly takeOperationNonce: (
    chainId: number,
    wallet: string,
    word: NonceWord
  ) => Effect.Effect<NonceTaking, StoreUnavailable>
  /** Whether a swap that has not failed has this index. An acceptance checks it again, in its transaction. */
  readonly isOperationNonceUsed: (
    chainId: number,
    wallet: string,
    index: bigint
  ) => Effect.Effect<boolean, StoreUnavailable>

  /**
   * Accepts a swap, once per `orderId`, and once per chain, wallet and index of its operation among swaps that have not
   * failed, in one transaction: the swap, its reservation of `output` on the destination, and its first event. The limits
   * are checked against what is under way in the same transaction, unless they are `Outdated`. From `until` on, in Unix
   * milliseconds, nothing is accepted, however long the transaction waited.
   */
  readonly accept: (
    swap: Accepted,
    limits: Limits & { readonly until?: number | undefined }
  ) => Effect.Effect<Acceptance, StoreUnavailable>

  readonly swap: (id: string) => Effect.Effect<Option.Option<SwapRecord>, StoreUnavailable>
  readonly swapOfOrder: (orderId: string) => Effect.Effect<Option.Option<SwapRecord>, StoreUnavailable>
  /**
   * The swap of an order whose time is over. An acceptance that started in time, in any process, is waited for: if there
   * is no swap, there never will be one.
   */
  readonly swapOfExpiredOrder: (orderId: string) => Effect.Effect<Option.Option<SwapRecord>, StoreUnavailable>
  /** Which of these swaps have ended. */
  readonly ended: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
  readonly list: (filter: Filter) => Effect.Effect<ReadonlyArray<SwapRecord>, StoreUnavailable>
  /** The swaps under way, by state. */
  readonly underway: Effect.Effect<ReadonlyArray<Underway>, StoreUnavailable>
  readonly reserved: Effect.Effect<ReadonlyArray<Reserved>, StoreUnavailable>
  readonly events: (id: string) => Effect.Effect<ReadonlyArray<Event>, StoreUnavailable>
  /** The attempts of a swap's transaction, oldest first. */
  readonly attempts: (id: string, kind: Kind) => Effect.Effect<ReadonlyArray<Attempt>, StoreUnavailable>

  /** Takes swaps that are not terminal and that nobody holds, oldest first. */
  readonly claim: (claim: {
    readonly owner: string
    readonly leaseMillis: number
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<SwapRecord>, StoreUnavailable>
  /**
   * Takes one swap that is not terminal and that no worker holds at the moment, even if it is not yet due. `None` if it is
   * terminal, held, or does not exist.
   */
  readonly claimOne: (claim: {
    readonly id: string
    readonly owner: string
    readonly leaseMillis: number
  }) => Effect.Effect<Option.Option<SwapRecord>, StoreUnavailable>
  /** Holds on to swaps; those that are not returned are lost to somebody else. */
  readonly renew: (
    owner: string,
    ids: ReadonlyArray<string>,
    leaseMillis: number
  ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
  /** Lets swaps go, so that somebody can take them at once, or once that many milliseconds have passed. */
  readonly release: (
    owner: string,
    ids: ReadonlyArray<string>,
    idleMillis?: number
  ) => Effect.Effect<void, StoreUnavailable>

  /** Lets all swaps go, whoever held them: for a process that knows it is the only one. */
  readonly releaseAll: Effect.Effect<void, StoreUnavailable>

  /** The next nonce of a relayer on a chain. */
  readonly nextNonce: (chainId: number, signer: string) => Effect.Effect<number, StoreUnavailable>
  /** The chain is further than we know: the next nonce is at least this. */
  readonly raiseNonce: (chainId: number, signer: string, atLeast: number) => Effect.Effect<void, StoreUnavailable>

  /**
   * Changes a swap. An `intent` whose attempt has a nonce that is the relayer's next one takes it, and fails with
   * `Conflict` where another took it first; an attempt with a nonce that the intent has already is one more attempt.
   * A terminal state lets the reservation go, and so does a refunding one.
   */
  readonly change: (change: Change) => Effect.Effect<SwapRecord, Conflict | StoreUnavailable>

  /**
   * Reserves the output of a swap again whose reservation was released, if the inventory allows it beside what is promised
   * to others. The swap as it is now is part of the answer.
   */
  readonly reserve: (
    swap: SwapRecord,
    owner: string,
    inventory: Holding
  ) => Effect.Effect<Reservation, Conflict | StoreUnavailable>
}

export class Store extends Context.Service<Store, Shape>()("@geoswap/service/Store") {}
