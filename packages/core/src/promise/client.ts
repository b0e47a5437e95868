/** The client: the programs of `Client`, as promises. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Delegation, DelegationQuery } from "../Delegation.js"
import * as Chain from "../Chain.js"
import { ChainReader } from "../ChainReader.js"
import type { ChangeDelegationInput, DelegationOutcome } from "../programs/changeDelegation.js"
import { compact } from "../codecs/compact.js"
import { validateNetwork } from "../programs/validateNetwork.js"
import { validatePolicy } from "../programs/validatePolicy.js"
import { clientOf, fromAnswer } from "./clientOf.js"
import { runPromise } from "./runPromise.js"
import { budgetLeft, swapsLeft } from "../programs/remaining.js"
import { clockFromPromise } from "../programs/promiseClock.js"
import type { ExecuteInput } from "../programs/prepareRequest.js"
import type { BuildInput, Built, Submission } from "../programs/endpoints.js"
import type { FlowId, SwapId } from "../Id.js"
import * as Networks from "../Network.js"
import * as Policy from "../Policy.js"
import type { IndicativeQuote, IndicativeQuoteInput, Quote, QuoteInput } from "../Quote.js"
import * as RetrySettings from "../RetrySettings.js"
import { evmFromPromise, Signers, solanaFromPromise } from "../Signer.js"
import type { Swap } from "../Swap.js"
import * as Stores from "../Store.js"
import { memoryRecords } from "../store/records.js"
import * as Errors from "../SwapError.js"
import type { SwapEvent } from "../SwapEvent.js"
import { fromPromise, Transport } from "../Transport.js"

import type {
  CallOptions,
  ClientOptions,
  DelegateOptions,
  ExecuteOptions,
  FlowsOnlyOptions,
  PolicyOptions,
  Progress,
  UndelegateOptions,
  WaitOptions
} from "./options.js"
import { canProve } from "../programs/readerOf.js"
import { fromPromise as readersFromPromise } from "./readers.js"

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
  readonly chains: (options?: CallOptions) => Promise<ReadonlyArray<Chain.Chain>>
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
  readonly pending: (options?: Pick<CallOptions, "signal">) => Promise<ReadonlyArray<Stores.Flow>>
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
interface ClientRules {
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
    Context.add(ChainReader, readersFromPromise(options.readers)),
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
    canProve: (chainId) => canProve(readersFromPromise(readers), familyOf(chainId), chainId),
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
