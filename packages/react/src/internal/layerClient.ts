/** A promise client that is built from a layer. */
import { Client as Programs, RetrySettings, SwapError } from "@geoswap/core"
import type { CallOptions, Client, ExecuteOptions, Progress } from "@geoswap/core/promise"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Stream from "effect/Stream"
import { callListener } from "./callListener.js"

/** A client and a function that closes its layer. */
export interface LayerClient {
  readonly client: Client
  readonly close: () => Promise<void>
}

/** Wraps a layer's failure in a `SwapError`. */
const layerError = (thrown: unknown): Error =>
  SwapError.isSwapError(thrown)
    ? thrown
    : new SwapError.InvalidInput({
        field: "layer",
        message: `layer: could not be built. ${thrown instanceof Error ? thrown.message : String(thrown)}`
      })

const progressOption = <A>(listen: ((value: A) => unknown) | undefined) => ({
  onProgress: (value: A) => Effect.sync(() => callListener(() => listen?.(value)))
})

const consentOptions = (
  accept: ExecuteOptions["acceptDelegation"]
): Pick<Programs.DelegateOptions, "acceptDelegation"> =>
  accept ? { acceptDelegation: (delegation) => Effect.promise(async () => accept(delegation)) } : {}

const executeOptions = ({
  acceptQuote,
  acceptRequote,
  acceptDelegation,
  ...options
}: Omit<ExecuteOptions, "signal">): Programs.ExecuteOptions => ({
  ...options,
  ...(acceptQuote && { acceptQuote: (quote, request) => Effect.promise(async () => acceptQuote(quote, request)) }),
  ...consentOptions(acceptDelegation),
  ...(acceptRequote && {
    acceptRequote: (previous, offered) => Effect.promise(async () => acceptRequote(previous, offered))
  })
})

/** Fails with the signal's abort reason when the signal is aborted. */
const failOnAbort = (signal: AbortSignal) =>
  Effect.callback<never, unknown>((resume) => {
    const abort = () => resume(Effect.fail(signal.reason))
    if (signal.aborted) return abort()
    signal.addEventListener("abort", abort, { once: true })
    return Effect.sync(() => signal.removeEventListener("abort", abort))
  })

const clientOf = (context: Context.Context<Programs.Services>): Client => {
  const promise = async <A, E>(program: Effect.Effect<A, E, Programs.Services>, signal?: AbortSignal): Promise<A> => {
    signal?.throwIfAborted()
    const exit = await Effect.runPromiseExitWith(context)(program, signal && { signal })
    if (exit._tag === "Success") return exit.value
    if (signal?.aborted && Cause.hasInterruptsOnly(exit.cause)) throw signal.reason
    throw Cause.squash(exit.cause)
  }

  const endpoint =
    <I, A, E>(call: (input: I) => Effect.Effect<A, E, Programs.Services>) =>
    (input: I, { signal, timeout: requestTimeout }: CallOptions = {}): Promise<A> =>
      promise(
        Effect.updateService(call(input), RetrySettings.RetrySettings, (settings) => ({
          ...settings,
          ...(requestTimeout && { requestTimeout })
        })),
        signal
      )

  const iterable = <A, E>(stream: Stream.Stream<A, E, Programs.Services>, signal?: AbortSignal): AsyncIterable<A> =>
    Stream.toAsyncIterableWith(signal ? Stream.interruptWhen(stream, failOnAbort(signal)) : stream, context)

  return {
    quote: endpoint(Programs.quote),
    indicativeQuote: endpoint(Programs.indicativeQuote),
    delegation: endpoint(Programs.delegation),
    delegate: (input, { acceptDelegation, signal, ...wait } = {}) =>
      promise(Programs.delegate(input, { ...wait, ...consentOptions(acceptDelegation) }), signal),
    undelegate: (input, { signal, ...wait } = {}) => promise(Programs.undelegate(input, wait), signal),
    build: endpoint(Programs.build),
    submit: endpoint(Programs.submit),
    status: endpoint(Programs.status),
    chains: (options) => endpoint(Programs.chains)(undefined, options),
    wait: (swapId, { signal, ...wait } = {}) => promise(Programs.wait(swapId, wait), signal),
    watch: (swapId, { signal, ...wait } = {}) => iterable(Programs.watch(swapId, wait), signal),
    execute: (request, { onProgress, signal, ...swap }: ExecuteOptions & Progress = {}) =>
      promise(Programs.execute(request, { ...executeOptions(swap), ...progressOption(onProgress) }), signal),
    executeStream: (request, { signal, ...swap } = {}) =>
      iterable(Programs.executeStream(request, executeOptions(swap)), signal),
    pending: ({ signal } = {}) => promise(Programs.pending, signal),
    resume: (flowId, { onProgress, signal, ...wait } = {}) =>
      promise(Programs.resume(flowId, { ...wait, ...progressOption(onProgress) }), signal),
    forget: (flowId) => promise(Programs.forget(flowId))
  }
}

/** Builds the layer and returns its client. */
export const connect = async (layer: Layer.Layer<Programs.Services, unknown>): Promise<LayerClient> => {
  const runtime = ManagedRuntime.make(layer)
  try {
    return { client: clientOf(await runtime.context()), close: () => runtime.dispose() }
  } catch (thrown) {
    await runtime.dispose()
    throw layerError(thrown)
  }
}
