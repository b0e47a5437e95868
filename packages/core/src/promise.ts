/** The client for code without Effect: promises, `for await` and `AbortSignal`. */
import type * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Authorization, Delegation, DelegationQuery } from "./Delegation.js"
import * as Chain from "./Chain.js"
import * as Readers from "./ChainReader.js"
import type { DelegationPreview } from "./programs/authorize.js"
import type { ChangeDelegationInput, DelegationOutcome } from "./programs/changeDelegation.js"
import { compact } from "./codecs/compact.js"
import { validateNetwork } from "./programs/validateNetwork.js"
import { validatePolicy } from "./programs/validatePolicy.js"
import { clientOf, fromAnswer } from "./promise/clientOf.js"
import { runPromise } from "./promise/runPromise.js"
import { budgetLeft, swapsLeft } from "./programs/remaining.js"
import { clockFromPromise, type PromiseClock } from "./programs/promiseClock.js"
import type { ExecuteInput } from "./programs/prepareRequest.js"
import type { BuildInput, Built, Submission } from "./programs/endpoints.js"
import type { FlowId, OrderId, SwapId } from "./Id.js"
import * as Networks from "./Network.js"
import * as Policy from "./Policy.js"
import type { IndicativeQuote, IndicativeQuoteInput, Quote, QuoteInput, QuoteRequest } from "./Quote.js"
import * as RetrySettings from "./RetrySettings.js"
import {
  evmFromPromise,
  type PromiseEvmSigner,
  type PromiseSolanaSigner,
  Signers,
  solanaFromPromise
} from "./Signer.js"
import type { Proof, Swap, SwapAmount } from "./Swap.js"
import * as Stores from "./Store.js"
import { memoryRecords } from "./store/records.js"
import * as Errors from "./SwapError.js"
import type { PaymentPreview, QuotePreview, SwapEvent } from "./SwapEvent.js"
import { fromPromise, type PromiseTransport, Transport } from "./Transport.js"

export { type Decimals, formatAmount, parseAmount, type TokenOptions, tokenResolver } from "./promise/tokens.js"
export { createQuoteClient, type QuoteClient } from "./promise/quoteClient.js"
export { defaultSlippageBps, exchangeRate, isHighCost, minimumOf, slippageRisk, weakensMinimum } from "./Quote.js"
export type { Cost, Costs, ExchangeRate, SlippageRisk } from "./Quote.js"
export type { PromiseEvmReader, PromiseSolanaReader, SignedState, TokenFacts } from "./ChainReader.js"
export { type FlowsOnlyStore, type Locks, type PromiseStore, type Storage, storageStore } from "./Store.js"
export type { Network, NetworkChain, NetworkToken } from "./Network.js"
export type { Deployment } from "./Operation.js"
export { nextAction, outcome as swapOutcome, type Outcome as SwapOutcome, unknownReason } from "./swap/outcome.js"
export { signedSoFar, type Step as SwapStep, steps as swapSteps, typicalDuration } from "./swap/progress.js"
export type { Balance, KnownToken, PinnedToken, PromiseResolver as TokenResolver, TokenAmount } from "./Tokens.js"
export type { Method as PaymentMethod, Payment } from "./Payment.js"
export type {
  AuthorizationToSign,
  OperationToSign,
  PaymentToSign,
  RevocationToSign,
  SignedPayment,
  TransactionToSign
} from "./Signer.js"
export type {
  Authorization,
  BuildInput,
  Built,
  ChangeDelegationInput,
  Delegation,
  DelegationOutcome,
  DelegationPreview,
  DelegationQuery,
  ExecuteInput,
  FlowId,
  IndicativeQuote,
  IndicativeQuoteInput,
  OrderId,
  PaymentPreview,
  PromiseClock,
  PromiseEvmSigner,
  PromiseSolanaSigner,
  PromiseTransport,
  Proof,
  Quote,
  QuoteInput,
  QuotePreview,
  QuoteRequest,
  Submission,
  Swap,
  SwapAmount,
  SwapEvent,
  SwapId
}
export type ChainInfo = Chain.Chain
export type Flow = Stores.Flow

type PlainError<E> = E extends Errors.SwapError ? Error & Pick<E, Exclude<keyof E, keyof Cause.YieldableError>> : never

/** The errors that the client can reject with. Distinguish them by `_tag`. */
export type SwapError = PlainError<Errors.SwapError>

/** Whether a thrown value is an error from this package. */
export const isSwapError: (error: unknown) => error is SwapError = Errors.isSwapError

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

/**
 * Decodes a network, for example from a JSON file in your repository. Throws `InvalidInput` that names the first
 * invalid field.
 *
 * @example
 * ```ts
 * const network = parseNetwork(JSON.parse(readFileSync("network.json", "utf8")))
 * ```
 */
export const parseNetwork = (json: unknown): Networks.Network => {
  const invalid = validateNetwork(json)
  if (invalid) throw invalid
  return json as Networks.Network
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
  readonly readers?: Readers.PromiseReaders | undefined
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

/** The client. All methods reject with one of the tagged errors in `SwapError`. */
export interface Client {
  /** Requests a quote. */
  readonly quote: (request: QuoteInput, options?: CallOptions) => Promise<Quote>
  /**
   * Requests an indicative quote: a price that needs no wallet and cannot be built. Rejects with `Rejected` if the
   * service does not offer indicative quotes and the request has no wallet.
   */
  readonly indicativeQuote: (request: IndicativeQuoteInput, options?: CallOptions) => Promise<IndicativeQuote>
  /** Checks whether a wallet is delegated, and returns what to sign if it is not. */
  readonly delegation: (query: DelegationQuery, options?: CallOptions) => Promise<Delegation>
  /**
   * Delegates the signer's wallet to the service's contract on one chain, without a swap. Does nothing if the wallet is
   * already delegated to a pinned contract.
   */
  readonly delegate: (input: ChangeDelegationInput, options?: DelegateOptions) => Promise<DelegationOutcome>
  /**
   * Removes the delegation of the signer's wallet on one chain. Requires a signer with `signRevocation`. Does nothing if
   * the wallet is not delegated.
   */
  readonly undelegate: (input: ChangeDelegationInput, options?: UndelegateOptions) => Promise<DelegationOutcome>
  /** Builds the operation or transaction for a quote. */
  readonly build: (input: BuildInput, options?: CallOptions) => Promise<Built>
  /** Submits a signature once. It is safe to repeat the call with the same bytes. */
  readonly submit: (submission: Submission, options?: CallOptions) => Promise<Swap>
  /** Reads a swap's status once. The service may take up to about 15 s to respond. */
  readonly status: (swapId: SwapId, options?: CallOptions) => Promise<Swap>
  /**
   * Lists the service's chains and tokens, if the service supports this. Use the list for display only, because the
   * service could lie about symbols, addresses and decimals. Compute amounts with `tokenResolver`, or pin the tokens
   * that you use.
   */
  readonly chains: (options?: CallOptions) => Promise<ReadonlyArray<ChainInfo>>
  /** Waits until a swap has settled, failed or been refunded. */
  readonly wait: (swapId: SwapId, options?: WaitOptions) => Promise<Swap>
  /** Iterates over a swap's status changes with `for await`. The last status is terminal. */
  readonly watch: (swapId: SwapId, options?: WaitOptions) => AsyncIterable<Swap>
  /** Runs a complete swap. A swap that ends as `failed` or `refunded` is a result, not an error. */
  readonly execute: (request: ExecuteInput, options?: ExecuteOptions & Progress) => Promise<Swap>
  /**
   * Runs a complete swap and returns its steps as an async iterable. Leaving the `for await` loop stops the client's
   * work on the swap.
   */
  readonly executeStream: (request: ExecuteInput, options?: ExecuteOptions) => AsyncIterable<SwapEvent>
  /** Lists the signed flows whose outcome is not yet known. */
  readonly pending: (options?: Pick<CallOptions, "signal">) => Promise<ReadonlyArray<Flow>>
  /** Resumes a flow: submits the same bytes again and never starts a second swap. */
  readonly resume: (flowId: FlowId, options?: WaitOptions & Progress) => Promise<Swap>
  /**
   * Removes a flow from the store. The flow's swap is then no longer tracked, and no longer keeps the wallet from paying
   * again: as long as its outcome is not proved, its signature may still be executed. Only a person who knows how the swap
   * ended can decide this.
   */
  readonly forget: (flowId: FlowId) => Promise<void>
}

/** What a client may sign, and what it can prove. */
export interface ClientRules {
  readonly network: Networks.Network
  readonly readers: ClientOptions["readers"]
  readonly policy: PolicyOptions
  /** The addresses of the signers. */
  readonly wallets: { readonly evm?: string | undefined; readonly solana?: string | undefined }
  /** The client's store. */
  readonly store: Stores.PromiseStore | Stores.FlowsOnlyStore
  readonly familyOf: (chainId: number) => Chain.Family
  /** Whether the client's readers can prove a payment on a chain. */
  readonly canProve: (chainId: number) => boolean
  /** What a wallet may still spend of each of the policy's budgets, in their order, and how many swaps are left. */
  readonly remaining: (
    wallet: string
  ) => Promise<{ readonly budgets: ReadonlyArray<bigint>; readonly swaps: bigint | undefined }>
}

/** A client that was created with its rules. */
export interface RuledClient extends Client {
  readonly rules: ClientRules
}

/** The options of `execute` without an idempotency key. */
type Unkeyed<Options> = Options & { readonly idempotencyKey?: undefined }

/** A client whose store has no locks. */
export interface FlowsOnlyClient extends Omit<RuledClient, "execute" | "executeStream"> {
  readonly execute: (request: ExecuteInput, options?: Unkeyed<ExecuteOptions & Progress>) => Promise<Swap>
  readonly executeStream: (request: ExecuteInput, options?: Unkeyed<ExecuteOptions>) => AsyncIterable<SwapEvent>
}

const contextOf = (options: Omit<ClientOptions, "store">, store: Stores.Store) => {
  const { evm, solana } = options.signers ?? {}
  const { network = Networks.empty, policy: { approve, onHighCost, ...rules } = {} } = options
  const families = Context.make(Chain.Families, Networks.familyOf(network))
  const policy = Policy.make({
    ...rules,
    network,
    ...(approve && { approve: (terms) => fromAnswer(() => approve(terms)) }),
    ...(onHighCost && { onHighCost: (quoted, request) => fromAnswer(() => onHighCost(quoted, request)) })
  })
  const base = options.clock ? Context.add(families, Clock.Clock, clockFromPromise(options.clock)) : families
  return base.pipe(
    Context.add(RetrySettings.RetrySettings, { ...RetrySettings.defaults, ...compact({ ...options.settings }) }),
    Context.add(Transport, fromPromise(options.transport, false)),
    Context.add(Policy.Policy, Effect.runSync(Effect.provideContext(policy, families))),
    Context.add(Stores.Store, store),
    Context.add(Readers.ChainReader, Readers.fromPromise(options.readers)),
    Context.add(Signers, {
      ...(evm && { evm: evmFromPromise(evm) }),
      ...(solana && { solana: solanaFromPromise(solana) })
    })
  )
}

/**
 * Creates a client.
 *
 * @example
 * ```ts
 * const client = createClient({
 *   network,
 *   transport: fetchTransport({ baseUrl: "https://swap.example", apiKey }),
 *   signers: { evm: signer }
 * })
 * const swap = await client.execute(request, { onProgress: (event) => console.log(event.type) })
 * ```
 */
export function createClient(options: ClientOptions): RuledClient
export function createClient(options: FlowsOnlyOptions): FlowsOnlyClient
export function createClient(options: ClientOptions | FlowsOnlyOptions): RuledClient {
  if (typeof options?.transport?.send !== "function") {
    throw new Errors.InvalidInput({ field: "transport", message: "transport: missing." })
  }
  const { network = Networks.empty, policy = {}, readers, signers } = options
  const invalidNetwork = validateNetwork(network)
  if (invalidNetwork) throw invalidNetwork
  const familyOf = Networks.familyOf(network)
  const invalidPolicy = validatePolicy(policy, familyOf)
  if (invalidPolicy) throw invalidPolicy
  const memory = memoryRecords()
  const store = options.store ?? memory
  if (store.flowsOnly && (policy.budgets ?? policy.maxSwapsPerHour) !== undefined) {
    const field = policy.budgets ? "policy.budgets" : "policy.maxSwapsPerHour"
    const message = `${field}: requires a store with locks. For a web page, pass storageStore(localStorage, { locks: navigator.locks }).`
    throw new Errors.InvalidInput({ field, message })
  }
  const current = options.store ? Stores.fromPromise(options.store) : Stores.make(memory.records)
  const context = contextOf(options, current)

  const rules: ClientRules = {
    network,
    readers,
    policy,
    wallets: { evm: signers?.evm?.address, solana: signers?.solana?.address },
    store,
    familyOf,
    canProve: (chainId) => Readers.canProve(Readers.fromPromise(readers), familyOf(chainId), chainId),
    remaining: (wallet) =>
      runPromise(
        Effect.gen(function* () {
          const { budgets = [], maxSwapsPerHour } = policy
          return {
            budgets: yield* Effect.forEach(budgets, (budget) => budgetLeft(current, wallet, budget)),
            swaps: maxSwapsPerHour === undefined ? undefined : yield* swapsLeft(current, wallet, maxSwapsPerHour)
          }
        }).pipe(Effect.provideContext(context))
      )
  }

  return { rules, ...clientOf(context) }
}
