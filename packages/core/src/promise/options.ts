/** The options of a client and of its methods. */
import type { DelegationPreview } from "../programs/authorize.js"
import { type PromiseClock } from "../programs/promiseClock.js"
import type * as Networks from "../Network.js"
import type * as Policy from "../Policy.js"
import type { Quote, QuoteRequest } from "../Quote.js"
import type * as RetrySettings from "../RetrySettings.js"
import { type PromiseEvmSigner, type PromiseSolanaSigner } from "../Signer.js"
import type * as Stores from "../Store.js"
import type { QuotePreview, SwapEvent } from "../SwapEvent.js"
import { type PromiseTransport } from "../Transport.js"
import type { PromiseReaders } from "./readers.js"

/** The rules for what may be signed. */
export interface PolicyOptions extends Omit<Policy.Options, "network" | "approve" | "onHighCost"> {
  /**
   * Called before each signature, once the budget has been reserved (default: accept). Return `false` to refuse the
   * terms, or the id of an approval that a person has to give first. The id is in the error's `approvalId`.
   */
  readonly approve?: ((terms: Policy.Terms) => boolean | string | Promise<boolean | string>) | undefined
  /** Called if a quote has a HIGH_PRICE_IMPACT warning (default: accept). Return `false` to reject the quote. */
  readonly onHighCost?: ((quote: Quote, request: QuoteRequest) => boolean | Promise<boolean>) | undefined
}

/** Options for a client. */
export interface ClientOptions {
  /**
   * The chains, with the contracts that signatures are checked against, from a source that you trust. Without the
   * contracts of a chain, nothing is signed on it. See `parseNetwork`.
   */
  readonly network?: Networks.Network | undefined
  /** The transport, for example `fetchTransport({ baseUrl, apiKey })` from `@geoswap/transport-fetch`. */
  readonly transport: PromiseTransport
  readonly signers?:
    | { readonly evm?: PromiseEvmSigner | undefined; readonly solana?: PromiseSolanaSigner | undefined }
    | undefined
  readonly policy?: PolicyOptions | undefined
  /**
   * Stores flows in progress, idempotency keys and budgets (default: in memory). All processes that sign for the wallet
   * must share one store.
   */
  readonly store?: Stores.PromiseStore | undefined
  /** Reads chains through your own nodes, for example `evmReader({ rpcUrls })` from `@geoswap/signer-evm`. */
  readonly readers?: PromiseReaders | undefined
  readonly settings?: Partial<RetrySettings.RetrySettings> | undefined
  /** The clock (default: the system's). Tests pass `virtualClock()` from `@geoswap/core/testing/promise`. */
  readonly clock?: PromiseClock | undefined
}

/** Options for a client whose store has no locks: without budgets and idempotency keys. */
export interface FlowsOnlyOptions extends Omit<ClientOptions, "policy" | "store"> {
  readonly store: Stores.FlowsOnlyStore
  readonly policy?: (PolicyOptions & { readonly budgets?: undefined; readonly maxSwapsPerHour?: undefined }) | undefined
}

/** Options for a single call. */
export interface CallOptions {
  /** Aborts the call: no further requests are sent, and the promise rejects with the signal's abort reason. */
  readonly signal?: AbortSignal | undefined
  /** The timeout in milliseconds. The transport may have a shorter timeout. */
  readonly timeout?: number | undefined
}

/** Options for waiting for a swap. */
export interface WaitOptions {
  /**
   * Aborts the program: no further requests are sent, and the promise rejects with the signal's abort reason. A swap
   * that has been submitted continues, and `pending` lists it.
   */
  readonly signal?: AbortSignal | undefined
  /** How long to wait for a submitted swap to end, in milliseconds (default: 15 minutes). */
  readonly timeout?: number | undefined
}

/** Options for removing a delegation. */
export interface UndelegateOptions {
  /**
   * Aborts the program: no further requests are sent, and the promise rejects with the signal's abort reason. A change
   * that the service has accepted continues.
   */
  readonly signal?: AbortSignal | undefined
  /** How long to wait for the change, in milliseconds (default: 15 minutes). */
  readonly timeout?: number | undefined
}

/** Options for delegating a wallet. */
export interface DelegateOptions extends UndelegateOptions {
  /** Called before each authorization is signed (default: accept). Return `false` to end with `Declined`. */
  readonly acceptDelegation?: ((delegation: DelegationPreview) => boolean | Promise<boolean>) | undefined
}

/** Options for a complete swap. */
export interface ExecuteOptions extends WaitOptions {
  /**
   * A quote for this request that the user has already accepted. This quote is used until it expires. The minimum of a
   * replacement quote must not be lower than this quote's minimum, and must not be a smaller share of the output,
   * unless `acceptRequote` returns `true`.
   */
  readonly quote?: Quote | undefined
  /**
   * Your own id for this swap, for example an order number. Every `execute` call with the same key and request refers
   * to the same swap: the call returns the swap, resumes it, or starts it if nothing has been signed yet. Requires a
   * `store` that all your processes share.
   */
  readonly idempotencyKey?: string | undefined
  /** How many times an expired quote is replaced (default: 3). */
  readonly maxRequotes?: number | undefined
  /** The minimum output to accept, in the token's smallest unit. */
  readonly minOutput?: bigint | undefined
  /**
   * Called with the first quote, before anything is built or signed (default: accept). Return `false` to end the swap
   * with `Declined`. Throwing or rejecting is treated as `false`. An error in `onProgress`, by contrast, does
   * not stop the swap.
   */
  readonly acceptQuote?: ((quote: QuotePreview, request: QuoteRequest) => boolean | Promise<boolean>) | undefined
  /**
   * Called before each EIP-7702 authorization is signed (default: accept). Return `false` to end the swap with
   * `Declined`.
   */
  readonly acceptDelegation?: ((delegation: DelegationPreview) => boolean | Promise<boolean>) | undefined
  /**
   * Called if a new quote's minimum is lower than the accepted minimum, or is a smaller share of the output (default:
   * reject).
   */
  readonly acceptRequote?: ((previous: QuotePreview, offered: QuotePreview) => boolean | Promise<boolean>) | undefined
}

/** A listener for a program's steps. */
export interface Progress {
  /**
   * Called for every step. If the listener returns a promise, the swap does not wait for the promise. If the listener
   * throws or rejects, the error is logged and the swap continues.
   */
  readonly onProgress?: ((event: SwapEvent) => unknown) | undefined
}
