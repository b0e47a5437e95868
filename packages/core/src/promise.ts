/** The same programs for people who do not use Effect: promises, `for await`, `AbortSignal`. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Authorization, Delegation, DelegationQuery } from "./Delegation.js"
import * as Chain from "./Chain.js"
import * as Readers from "./ChainReader.js"
import type { DelegationPreview } from "./programs/authorize.js"
import { run } from "./programs/execute.js"
import { resume } from "./programs/resume.js"
import { compact } from "./codecs/compact.js"
import { validatePolicy } from "./programs/validatePolicy.js"
import { toAsyncIterable } from "./programs/toAsyncIterable.js"
import { guardListener } from "./programs/guardListener.js"
import { pollStatus } from "./programs/pollStatus.js"
import type { ExecuteInput } from "./programs/prepareRequest.js"
import {
  build,
  type BuildInput,
  type Built,
  chains,
  delegation,
  quote,
  status,
  submit,
  type Submission
} from "./programs/endpoints.js"
import * as Journals from "./Journal.js"
import * as Ledgers from "./Ledger.js"
import * as Policy from "./Policy.js"
import type { Quote, QuoteInput, QuoteRequest } from "./Quote.js"
import * as RetrySettings from "./RetrySettings.js"
import {
  evmFromPromise,
  type PromiseEvmSigner,
  type PromiseSolanaSigner,
  Signers,
  solanaFromPromise
} from "./Signer.js"
import type { Swap } from "./Swap.js"
import * as Errors from "./SwapError.js"
import * as Tokens from "./Tokens.js"
import type { QuotePreview, SwapEvent } from "./SwapEvent.js"
import { fromPromise, type PromiseTransport, Transport } from "./Transport.js"

export { format as formatAmount, parse as parseAmount } from "./Amount.js"
export { minimumOf, weakensMinimum } from "./Quote.js"
export { type PromiseJournal as Journal, storageJournal, type Storage } from "./Journal.js"
export type {
  PromiseEvmReader as EvmReader,
  PromiseSolanaReader as SolanaReader,
  SignedState,
  TokenFacts
} from "./ChainReader.js"
export { type Locks, type PromiseLedger as Ledger, storageLedger } from "./Ledger.js"
export type { Deployment } from "./Operation.js"
export type { KnownToken, PromiseResolver as TokenResolver } from "./Tokens.js"
export type { AuthorizationToSign, OperationToSign, TransactionToSign } from "./Signer.js"
export type {
  Authorization,
  BuildInput,
  Built,
  Delegation,
  DelegationPreview,
  DelegationQuery,
  ExecuteInput,
  PromiseEvmSigner as EvmSigner,
  PromiseSolanaSigner as SolanaSigner,
  PromiseTransport as Transport,
  Quote,
  QuoteInput,
  QuotePreview,
  QuoteRequest,
  Submission,
  Swap,
  SwapEvent
}
export type ChainInfo = Chain.Chain
export type Flow = Journals.Flow

type PlainError<E> = E extends Errors.SwapError ? Error & Pick<E, Exclude<keyof E, keyof Cause.YieldableError>> : never

/** Every error that the client rejects with, told apart by `_tag`. */
export type SwapError = PlainError<Errors.SwapError>

/** Tells our errors from anything else that was thrown. */
export const isSwapError: (error: unknown) => error is SwapError = Errors.isSwapError

/** The rules of what may be signed. */
export interface PolicyOptions extends Omit<Policy.Options, "onHighImpact"> {
  /** Asked when a quote carries the warning HIGH_PRICE_IMPACT; `false` refuses it. Proceeds where absent. */
  readonly onHighImpact?: ((quote: Quote, request: QuoteRequest) => boolean | Promise<boolean>) | undefined
}

/** What a client is made of. */
export interface ClientOptions {
  /** For example `fetchTransport({ baseUrl, apiKey })` of `@geoswap/transport-fetch`. */
  readonly transport: PromiseTransport
  readonly signers?:
    | { readonly evm?: PromiseEvmSigner | undefined; readonly solana?: PromiseSolanaSigner | undefined }
    | undefined
  readonly policy?: PolicyOptions | undefined
  /** Where flows in progress are remembered; in memory where absent. */
  readonly journal?: Journals.PromiseJournal | undefined
  /**
   * Where idempotency keys and budgets are remembered; in memory if omitted. Give every process that signs for the wallet
   * the same one.
   */
  readonly ledger?: Ledgers.PromiseLedger | undefined
  /** Your own view of the chains, through nodes that you chose: `evmReader({ rpcUrls })` of `@geoswap/signer-evm`. */
  readonly readers?:
    | { readonly evm?: Readers.PromiseEvmReader | undefined; readonly solana?: Readers.PromiseSolanaReader | undefined }
    | undefined
  /** Solana networks besides the main one, and any chain id that is not what it seems. */
  readonly chains?: Readonly<Record<number, Chain.Family>> | undefined
  readonly settings?: Partial<RetrySettings.Shape> | undefined
}

/** What every call takes. */
export interface CallOptions {
  /** Stops the call: no further request leaves, and the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds that the request may take; the transport may have a shorter limit of its own. */
  readonly timeout?: number | undefined
}

/** What waiting takes. */
export interface WaitOptions {
  /**
   * Stops the program: no further request leaves, and the promise rejects with the signal's reason. A swap that was
   * submitted goes on; `pending` lists it.
   */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds to wait for the end of the swap once it is submitted, 15 minutes where absent. */
  readonly timeout?: number | undefined
}

/** What a whole swap takes. */
export interface ExecuteOptions extends WaitOptions {
  /**
   * One for this very request that somebody has agreed to already: used while it lasts, and then renewed, but never
   * with a lower minimum than they have seen unless `acceptRequote` says yes.
   */
  readonly quote?: Quote | undefined
  /**
   * Your own name for this swap, for example the number of an order. Every `execute` with the same key and request is the
   * same swap: it returns it, resumes it, or starts it if nothing was signed yet. Give the client a `ledger` and a
   * `journal` that all your processes share.
   */
  readonly idempotencyKey?: string | undefined
  /** How often an expired quote is renewed, 3 where absent. */
  readonly maxRequotes?: number | undefined
  /** The least output to accept, in smallest units. */
  readonly minOutput?: bigint | undefined
  /**
   * Asked with the first quote, before anything is built or signed; accepted if omitted. A `false` ends with `Declined`.
   * Like every gate here, it says no if it throws or rejects. `onProgress` is not a gate: the swap continues if it fails.
   */
  readonly acceptQuote?: ((quote: QuotePreview, request: QuoteRequest) => boolean | Promise<boolean>) | undefined
  /** Asked before each EIP-7702 authorization is signed; accepted if omitted. A `false` ends with `Declined`. */
  readonly acceptDelegation?: ((delegation: DelegationPreview) => boolean | Promise<boolean>) | undefined
  /** Asked when a renewed quote binds a lower minimum than the first one, or a weaker one; refused if omitted. */
  readonly acceptRequote?: ((previous: QuotePreview, offered: QuotePreview) => boolean | Promise<boolean>) | undefined
}

/** Gets every step. */
export interface Progress {
  /** The swap does not wait for what it returns. If it throws or rejects, that is logged and the swap continues. */
  readonly onProgress?: ((event: SwapEvent) => unknown) | undefined
}

/** The verbs of the protocol in promises. All of them reject with the tagged errors of `SwapError`. */
export interface Client {
  /** Asks for a price. */
  readonly quote: (request: QuoteInput, options?: CallOptions) => Promise<Quote>
  /** Reads whether a wallet is delegated, and what to sign where it is not. */
  readonly delegation: (query: DelegationQuery, options?: CallOptions) => Promise<Delegation>
  /** Turns a quote into something to sign. */
  readonly build: (input: BuildInput, options?: CallOptions) => Promise<Built>
  /** Submits what was signed, once; repeating it with the same bytes is safe. */
  readonly submit: (submission: Submission, options?: CallOptions) => Promise<Swap>
  /** Reads the status once; the service holds the answer for about 15 s. */
  readonly status: (swapId: string, options?: CallOptions) => Promise<Swap>
  /**
   * The chains and tokens of the service, if it lists them. For a menu and nothing more: symbols, addresses and decimals
   * are the service's word. Compute amounts with `tokenResolver`, or pin the tokens that you use.
   */
  readonly chains: (options?: CallOptions) => Promise<ReadonlyArray<ChainInfo>>
  /** Waits until a swap is settled, failed or refunded. */
  readonly wait: (swapId: string, options?: WaitOptions) => Promise<Swap>
  /** A swap's states as they change, the last one terminal: `for await`. */
  readonly watch: (swapId: string, options?: WaitOptions) => AsyncIterable<Swap>
  /** A whole swap. One that ends `failed` or `refunded` is a result, not an error. */
  readonly execute: (request: ExecuteInput, options?: ExecuteOptions & Progress) => Promise<Swap>
  /** The same as its steps: `for await`. Leaving the loop stops it. */
  readonly executeStream: (request: ExecuteInput, options?: ExecuteOptions) => AsyncIterable<SwapEvent>
  /** The flows that were signed and have no known end yet. */
  readonly pending: (options?: Pick<CallOptions, "signal">) => Promise<ReadonlyArray<Flow>>
  /** Takes up such a flow: the very same bytes, never a second swap. */
  readonly resume: (flowId: string, options?: WaitOptions & Progress) => Promise<Swap>
  /** Forgets such a flow; whatever became of its swap is not followed any more. */
  readonly forget: (flowId: string) => Promise<void>
}

type Services = Transport | Signers | Policy.Policy | Journals.Journal

const asked = (answer: () => boolean | Promise<boolean>) => Effect.promise(async () => answer())

const readersOf = (readers: ClientOptions["readers"]): Readers.Shape => ({
  ...(readers?.evm && { evm: Readers.evmFromPromise(readers.evm) }),
  ...(readers?.solana && { solana: Readers.solanaFromPromise(readers.solana) })
})

const contextOf = (options: ClientOptions) => {
  const { evm, solana } = options.signers ?? {}
  const { onHighImpact, ...rules } = options.policy ?? {}
  const families = Context.make(Chain.Families, Chain.families(options.chains))
  const policy = Policy.make({
    ...rules,
    ...(onHighImpact && { onHighImpact: (quoted, request) => asked(() => onHighImpact(quoted, request)) })
  })
  return families.pipe(
    Context.add(RetrySettings.RetrySettings, { ...RetrySettings.defaults, ...compact({ ...options.settings }) }),
    Context.add(Transport, fromPromise(options.transport, false)),
    Context.add(Policy.Policy, Effect.runSync(Effect.provideContext(policy, families))),
    Context.add(
      Journals.Journal,
      options.journal ? Journals.fromPromise(options.journal) : Effect.runSync(Journals.makeMemory)
    ),
    Context.add(
      Ledgers.Ledger,
      options.ledger ? Ledgers.fromPromise(options.ledger) : Effect.runSync(Ledgers.makeMemory)
    ),
    Context.add(Readers.ChainReader, readersOf(options.readers)),
    Context.add(Signers, {
      ...(evm && { evm: evmFromPromise(evm) }),
      ...(solana && { solana: solanaFromPromise(solana) })
    })
  )
}

/** A listener that throws, or whose promise rejects, is logged: the swap neither stops for it nor waits for it. */
const heard = <A>(listen: ((value: A) => unknown) | undefined) =>
  guardListener((value: A) =>
    Effect.flatMap(
      // Its rejection is taken at once: one that nobody handles ends a process.
      Effect.sync(() => {
        const given = listen?.(value)
        return given instanceof Promise ? given.then(() => Exit.void, Exit.die) : undefined
      }),
      (settled) => (settled ? Effect.forkDetach(reported(settled)) : Effect.void)
    )
  )
const reported = guardListener((settled: Promise<Exit.Exit<void>>) => Effect.flatten(Effect.promise(() => settled)))

const executeOptions = ({ acceptQuote, acceptRequote, acceptDelegation, ...options }: ExecuteOptions) => ({
  ...options,
  ...(acceptQuote && {
    acceptQuote: (quoted: QuotePreview, request: QuoteRequest) => asked(() => acceptQuote(quoted, request))
  }),
  ...(acceptDelegation && {
    acceptDelegation: (delegated: DelegationPreview) => asked(() => acceptDelegation(delegated))
  }),
  ...(acceptRequote && {
    acceptRequote: (previous: QuotePreview, offered: QuotePreview) => asked(() => acceptRequote(previous, offered))
  })
})

/** Where `tokenResolver` has its facts from. */
export interface TokenOptions extends Pick<ClientOptions, "readers" | "chains"> {
  /** Tokens that you have pinned. They go ahead of what the readers say. */
  readonly list?: ReadonlyArray<Tokens.KnownToken> | undefined
}

/**
 * Tokens that you vouch for, by your list or through your own nodes; never the service's word.
 *
 * @example
 * ```ts
 * const tokens = tokenResolver({ list: [{ chain: 8453, address: usdc, symbol: "USDC", decimals: 6 }] })
 * const amount = await tokens.parse(8453, "USDC", "10")
 * ```
 */
export const tokenResolver = ({ list, readers, chains: known }: TokenOptions): Tokens.PromiseResolver => {
  const { find, parse, format } = Tokens.resolver({ list, readers: readersOf(readers) })
  const promise =
    <I extends ReadonlyArray<unknown>, A>(method: (...input: I) => Effect.Effect<A, Errors.SwapError>) =>
    async (...input: I): Promise<A> => {
      const families = Effect.provideService(method(...input), Chain.Families, Chain.families(known))
      const exit = await Effect.runPromiseExit(families)
      if (exit._tag === "Success") return exit.value
      throw Cause.squash(exit.cause)
    }
  return { find: promise(find), parse: promise(parse), format: promise(format) }
}

/**
 * A client in promises.
 *
 * @example
 * ```ts
 * const client = createClient({
 *   transport: fetchTransport({ baseUrl: "https://swap.example", apiKey }),
 *   signers: { evm: signer },
 *   policy: { deployments }
 * })
 * const swap = await client.execute(request, { onProgress: (event) => console.log(event.type) })
 * ```
 */
export const createClient = (options: ClientOptions): Client => {
  if (typeof options?.transport?.send !== "function") {
    throw new Errors.InvalidInput({ field: "transport", message: "transport: missing." })
  }
  const fault = validatePolicy(options.policy ?? {}, Chain.families(options.chains))
  if (fault) throw fault
  const context = contextOf(options)

  const promise = async <A, E>(program: Effect.Effect<A, E, Services>, signal?: AbortSignal): Promise<A> => {
    signal?.throwIfAborted()
    const exit = await Effect.runPromiseExit(Effect.provideContext(program, context), signal && { signal })
    if (exit._tag === "Success") return exit.value
    if (signal?.aborted && Cause.hasInterruptsOnly(exit.cause)) throw signal.reason
    throw Cause.squash(exit.cause)
  }

  const single =
    <I, A, E>(verb: (input: I) => Effect.Effect<A, E, Transport>) =>
    (input: I, { signal, timeout: requestTimeout }: CallOptions = {}): Promise<A> => {
      const settings = {
        ...Context.get(context, RetrySettings.RetrySettings),
        ...(requestTimeout && { requestTimeout })
      }
      return promise(Effect.provideService(verb(input), RetrySettings.RetrySettings, settings), signal)
    }

  return {
    quote: single(quote),
    delegation: single(delegation),
    build: single(build),
    submit: single(submit),
    status: single(status),
    chains: (how) => single(chains)(undefined, how),
    wait: (swapId, { signal, ...wait } = {}) =>
      promise(
        pollStatus(swapId, () => Effect.void, wait),
        signal
      ),
    watch: (swapId, { signal, ...wait } = {}) =>
      toAsyncIterable<Swap>((tell, inner) => promise(pollStatus(swapId, heard(tell), wait), inner), signal),
    execute: (request, { signal, onProgress, ...swap } = {}) =>
      promise(run(request, executeOptions(swap), heard(onProgress)), signal),
    executeStream: (request, { signal, ...swap } = {}) =>
      toAsyncIterable<SwapEvent>(
        (tell, inner) => promise(run(request, executeOptions(swap), heard(tell)), inner),
        signal
      ),
    pending: ({ signal } = {}) =>
      promise(
        Effect.flatMap(Journals.Journal, ({ list }) => list),
        signal
      ),
    forget: (flowId) => promise(Effect.flatMap(Journals.Journal, (journal) => journal.remove(flowId))),
    resume: (flowId, { signal, onProgress, ...wait } = {}) => promise(resume(flowId, wait, heard(onProgress)), signal)
  }
}
