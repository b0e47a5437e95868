/** The promise client over a layer. */
import { Client as Programs, RetrySettings, SwapError } from "@geoswap/core"
import type { CallOptions, Client, ExecuteOptions, Progress } from "@geoswap/core/promise"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Stream from "effect/Stream"
import { callListener } from "./callListener.js"

/** A client, and what ends its layer. */
export interface LayerClient {
  readonly client: Client
  readonly close: () => Promise<void>
}

/** Why a layer could not be built, as one of our errors. */
const layerError = (thrown: unknown): Error =>
  SwapError.isSwapError(thrown)
    ? thrown
    : new SwapError.InvalidInput({
        field: "layer",
        message: `layer: could not be built. ${thrown instanceof Error ? thrown.message : String(thrown)}`
      })

const told = <A>(listen: ((value: A) => unknown) | undefined) => ({
  onProgress: (value: A) => Effect.sync(() => callListener(() => listen?.(value)))
})

const executeOptions = ({
  acceptQuote,
  acceptRequote,
  acceptDelegation,
  ...options
}: Omit<ExecuteOptions, "signal">): Programs.ExecuteOptions => ({
  ...options,
  ...(acceptQuote && { acceptQuote: (quote, request) => Effect.promise(async () => acceptQuote(quote, request)) }),
  ...(acceptDelegation && {
    acceptDelegation: (delegation) => Effect.promise(async () => acceptDelegation(delegation))
  }),
  ...(acceptRequote && {
    acceptRequote: (previous, offered) => Effect.promise(async () => acceptRequote(previous, offered))
  })
})

/** Fails with the signal's reason once it is aborted. */
const abortOf = (signal: AbortSignal) =>
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

  const single =
    <I, A, E>(verb: (input: I) => Effect.Effect<A, E, Programs.Services>) =>
    (input: I, { signal, timeout: requestTimeout }: CallOptions = {}): Promise<A> =>
      promise(
        Effect.updateService(verb(input), RetrySettings.RetrySettings, (settings) => ({
          ...settings,
          ...(requestTimeout && { requestTimeout })
        })),
        signal
      )

  const iterable = <A, E>(stream: Stream.Stream<A, E, Programs.Services>, signal?: AbortSignal): AsyncIterable<A> =>
    Stream.toAsyncIterableWith(signal ? Stream.interruptWhen(stream, abortOf(signal)) : stream, context)

  return {
    quote: single(Programs.quote),
    delegation: single(Programs.delegation),
    build: single(Programs.build),
    submit: single(Programs.submit),
    status: single(Programs.status),
    chains: (how) => single(Programs.chains)(undefined, how),
    wait: (swapId, { signal, ...wait } = {}) => promise(Programs.wait(swapId, wait), signal),
    watch: (swapId, { signal, ...wait } = {}) => iterable(Programs.watch(swapId, wait), signal),
    execute: (request, { onProgress, signal, ...swap }: ExecuteOptions & Progress = {}) =>
      promise(Programs.execute(request, { ...executeOptions(swap), ...told(onProgress) }), signal),
    executeStream: (request, { signal, ...swap } = {}) =>
      iterable(Programs.executeStream(request, executeOptions(swap)), signal),
    pending: ({ signal } = {}) => promise(Programs.pending, signal),
    resume: (flowId, { onProgress, signal, ...wait } = {}) =>
      promise(Programs.resume(flowId, { ...wait, ...told(onProgress) }), signal),
    forget: (flowId) => promise(Programs.forget(flowId))
  }
}

/** Builds the layer. It lives until it is closed. */
export const connect = async (layer: Layer.Layer<Programs.Services, unknown>): Promise<LayerClient> => {
  const runtime = ManagedRuntime.make(layer)
  try {
    return { client: clientOf(await runtime.context()), close: () => runtime.dispose() }
  } catch (thrown) {
    await runtime.dispose()
    throw layerError(thrown)
  }
}
