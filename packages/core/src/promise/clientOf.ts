/** A client for code without Effect, on services that are already built. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Policy } from "../Policy.js"
import { delegate, undelegate } from "../programs/changeDelegation.js"
import { build, chains, delegation, indicativeQuote, quote, status, submit } from "../programs/endpoints.js"
import { run } from "../programs/execute.js"
import { guardListener } from "../programs/guardListener.js"
import { forgetFlow } from "../programs/flows.js"
import { pollStatus } from "../programs/pollStatus.js"
import { resume } from "../programs/resume.js"
import { toAsyncIterable } from "../programs/toAsyncIterable.js"
import type { DelegationPreview } from "../programs/authorize.js"
import type { Client } from "./client.js"
import type { CallOptions, DelegateOptions, ExecuteOptions } from "./options.js"
import type { QuoteRequest } from "../Quote.js"
import { RetrySettings } from "../RetrySettings.js"
import type { Signers } from "../Signer.js"
import { Store } from "../Store.js"
import type { Swap } from "../Swap.js"
import type { QuotePreview, SwapEvent } from "../SwapEvent.js"
import type { Transport } from "../Transport.js"
import { runPromise } from "./runPromise.js"

type Services = Transport | Signers | Policy | Store

/** Waits for an answer of the caller. */
export const fromAnswer = <A>(answer: () => A | Promise<A>): Effect.Effect<A> => Effect.promise(async () => answer())

/**
 * Guards a listener: if it throws or rejects, the error is logged and the swap continues. The swap does not wait for
 * the listener.
 */
const toListener = <A>(listen: ((value: A) => unknown) | undefined) =>
  guardListener((value: A) =>
    Effect.flatMap(
      // Handle the rejection immediately, because an unhandled rejection would terminate a Node process.
      Effect.sync(() => {
        const result = listen?.(value)
        return result instanceof Promise ? result.then(() => Exit.void, Exit.die) : undefined
      }),
      (settled) => (settled ? Effect.forkDetach(logRejection(settled)) : Effect.void)
    )
  )
const logRejection = guardListener((settled: Promise<Exit.Exit<void>>) => Effect.flatten(Effect.promise(() => settled)))

const consentOptions = (accept: DelegateOptions["acceptDelegation"]) =>
  accept && { acceptDelegation: (delegated: DelegationPreview) => fromAnswer(() => accept(delegated)) }

const executeOptions = ({ acceptQuote, acceptRequote, acceptDelegation, ...options }: ExecuteOptions) => ({
  ...options,
  ...(acceptQuote && {
    acceptQuote: (quoted: QuotePreview, request: QuoteRequest) => fromAnswer(() => acceptQuote(quoted, request))
  }),
  ...consentOptions(acceptDelegation),
  ...(acceptRequote && {
    acceptRequote: (previous: QuotePreview, offered: QuotePreview) => fromAnswer(() => acceptRequote(previous, offered))
  })
})

/** Creates the client. The services are not closed. */
export const clientOf = (context: Context.Context<Services>): Client => {
  const store = Context.get(context, Store)

  const promise = <A, E>(program: Effect.Effect<A, E, Services>, signal?: AbortSignal): Promise<A> =>
    runPromise(Effect.provideContext(program, context), signal)

  const single =
    <I, A, E>(endpoint: (input: I) => Effect.Effect<A, E, Transport>) =>
    (input: I, { signal, timeout: requestTimeout }: CallOptions = {}): Promise<A> => {
      const settings = { ...Context.get(context, RetrySettings), ...(requestTimeout && { requestTimeout }) }
      return promise(Effect.provideService(endpoint(input), RetrySettings, settings), signal)
    }

  return {
    quote: single(quote),
    indicativeQuote: single(indicativeQuote),
    delegation: single(delegation),
    delegate: (input, { signal, acceptDelegation, ...wait } = {}) =>
      promise(delegate(input, { ...wait, ...consentOptions(acceptDelegation) }), signal),
    undelegate: (input, { signal, ...wait } = {}) => promise(undelegate(input, wait), signal),
    build: single(build),
    submit: single(submit),
    status: single(status),
    chains: (call) => single(chains)(undefined, call),
    wait: (swapId, { signal, ...wait } = {}) =>
      promise(
        pollStatus(swapId, () => Effect.void, wait),
        signal
      ),
    watch: (swapId, { signal, ...wait } = {}) =>
      toAsyncIterable<Swap>((emit, inner) => promise(pollStatus(swapId, toListener(emit), wait), inner), signal),
    execute: (request, { signal, onProgress, ...swap } = {}) =>
      promise(run(request, executeOptions(swap), toListener(onProgress)), signal),
    executeStream: (request, { signal, ...swap } = {}) =>
      toAsyncIterable<SwapEvent>(
        (emit, inner) => promise(run(request, executeOptions(swap), toListener(emit)), inner),
        signal
      ),
    pending: ({ signal } = {}) => promise(store.flows, signal),
    forget: (flowId) => promise(forgetFlow(flowId)),
    resume: (flowId, { signal, onProgress, ...wait } = {}) =>
      promise(resume(flowId, wait, toListener(onProgress)), signal)
  }
}
