/** Swaps as mutations, and the swaps that are running in a cache. */
import type {
  Client,
  ExecuteInput,
  ExecuteOptions,
  Flow,
  FlowId,
  Swap,
  SwapError,
  SwapEvent
} from "@geoswap/core/promise"
import type { MutationFunction, MutationOptions, QueryClient } from "@tanstack/query-core"
import { requestKey, root } from "./keys.js"

/** The options for `execute`, without the signal. */
export interface StartOptions extends Omit<ExecuteOptions, "signal"> {}

/** The variables for a swap mutation. */
export interface SwapVariables {
  readonly request: ExecuteInput
  readonly options?: StartOptions | undefined
}

/** A progress listener and a signal that cancels the swap. */
export interface SwapCallOptions {
  readonly onProgress?: ((event: SwapEvent) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** Options for `useMutation` and similar functions. */
export type SwapMutation<Variables> = MutationOptions<Swap, SwapError | Error, Variables> & {
  readonly mutationFn: MutationFunction<Swap, Variables>
}

const swapKey = [root, "swap"] as const
const resumeKey = [root, "resume"] as const

/**
 * The defaults for swap mutations. A swap is never retried automatically, because a second attempt would be a second
 * swap. A finished mutation is removed from the cache after about 1 s without an observer. If `gcTime` were 0, the
 * cache would constantly check whether it can remove a running mutation that has no observer.
 */
const swapDefaults = { networkMode: "always", retry: false, gcTime: 1_000 } as const

/** Returns mutation options for making a complete swap. */
export const swapMutationOptions = (
  client: Client,
  callOptions: SwapCallOptions = {}
): SwapMutation<SwapVariables> => ({
  ...swapDefaults,
  mutationKey: swapKey,
  mutationFn: ({ options, request }) => client.execute(request, { ...options, ...callOptions })
})

/** Returns mutation options for resuming a flow from the journal by its id. */
export const resumeMutationOptions = (client: Client, callOptions: SwapCallOptions = {}): SwapMutation<string> => ({
  ...swapDefaults,
  mutationKey: resumeKey,
  mutationFn: (flowId) => client.resume(flowId, callOptions)
})

/** A running swap. A resumed swap is identified by its flow, and any other swap by its request. */
export type RunningSwap =
  | { readonly flowId: FlowId }
  | { readonly since: number; readonly request: string; readonly walletKnown: boolean }

/**
 * Returns a string that identifies a request. The wallet address is left out if the caller did not set it and the
 * signer provides it.
 */
const requestIdOf = (request: ExecuteInput, walletKnown: boolean): string =>
  requestKey(walletKnown ? request : { ...request, walletAddress: undefined })

/** Describes a swap that is starting. */
export const runningSwap = (request: ExecuteInput, since: number): RunningSwap => {
  const walletKnown = request.walletAddress !== undefined
  return { since, request: requestIdOf(request, walletKnown), walletKnown }
}

/** Lists the swaps that are running in a query cache, whichever component started them. */
export const runningSwaps = (cache: QueryClient): ReadonlyArray<RunningSwap> => {
  const mutations = cache.getMutationCache()
  const started = mutations.findAll({ mutationKey: swapKey, status: "pending" })
  const resumed = mutations.findAll({ mutationKey: resumeKey, status: "pending" })
  return [
    ...started.map(({ state }) => runningSwap((state.variables as SwapVariables).request, state.submittedAt)),
    ...resumed.map(({ state }) => ({ flowId: state.variables as FlowId }))
  ]
}

/** Whether a flow in the journal belongs to a running swap. */
export const isFlowOf = (swap: RunningSwap, flow: Pick<Flow, "id" | "createdAt" | "request">): boolean =>
  "flowId" in swap
    ? flow.id === swap.flowId
    : flow.createdAt >= swap.since && requestIdOf(flow.request, swap.walletKnown) === swap.request
