/** Whole swaps as mutations, and which flows of a journal are under way in a cache. */
import type { Client, ExecuteInput, ExecuteOptions, Flow, Swap, SwapError, SwapEvent } from "@geoswap/core/promise"
import type { MutationFunction, MutationOptions, QueryClient } from "@tanstack/query-core"
import { requestKey, root } from "./keys.js"

/** What a swap may be told, besides the signal. */
export interface StartOptions extends Omit<ExecuteOptions, "signal"> {}

/** What a swap begins with. */
export interface SwapVariables {
  readonly request: ExecuteInput
  readonly options?: StartOptions | undefined
}

/** Who listens, and who may stop it. */
export interface SwapCallOptions {
  readonly onProgress?: ((event: SwapEvent) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** Options for `useMutation` and its like. */
export type SwapMutation<Variables> = MutationOptions<Swap, SwapError | Error, Variables> & {
  readonly mutationFn: MutationFunction<Swap, Variables>
}

const swapKey = [root, "swap"] as const
const resumeKey = [root, "resume"] as const

/**
 * Never made again by itself: a second attempt would be a second swap. It leaves the cache soon; at once would have the
 * cache look for it all the time while it runs without an observer.
 */
const once = { networkMode: "always", retry: false, gcTime: 1_000 } as const

/** The options of a mutation that makes a whole swap. */
export const swapMutationOptions = (client: Client, listening: SwapCallOptions = {}): SwapMutation<SwapVariables> => ({
  ...once,
  mutationKey: swapKey,
  mutationFn: ({ options, request }) => client.execute(request, { ...options, ...listening })
})

/** The options of a mutation that takes up a flow of the journal, named by its id. */
export const resumeMutationOptions = (client: Client, listening: SwapCallOptions = {}): SwapMutation<string> => ({
  ...once,
  mutationKey: resumeKey,
  mutationFn: (flowId) => client.resume(flowId, listening)
})

/** A swap under way, as far as it tells its flow in a journal: a resumed flow by its id, another by what it is for. */
export type RunningSwap =
  | { readonly flowId: string }
  | { readonly since: number; readonly request: string; readonly walletKnown: boolean }

/** A request without its wallet, which a swap may leave to the signer. */
const requestIdOf = (request: ExecuteInput, walletKnown: boolean): string =>
  requestKey(walletKnown ? request : { ...request, walletAddress: undefined })

/** Describes a swap that begins. */
export const runningSwap = (request: ExecuteInput, since: number): RunningSwap => {
  const walletKnown = request.walletAddress !== undefined
  return { since, request: requestIdOf(request, walletKnown), walletKnown }
}

/** The swaps under way in a cache, in any component. */
export const runningSwaps = (cache: QueryClient): ReadonlyArray<RunningSwap> => {
  const mutations = cache.getMutationCache()
  const started = mutations.findAll({ mutationKey: swapKey, status: "pending" })
  const resumed = mutations.findAll({ mutationKey: resumeKey, status: "pending" })
  return [
    ...started.map(({ state }) => runningSwap((state.variables as SwapVariables).request, state.submittedAt)),
    ...resumed.map(({ state }) => ({ flowId: state.variables as string }))
  ]
}

/** Whether a flow of the journal is that of a swap under way. */
export const isFlowOf = (swap: RunningSwap, flow: Pick<Flow, "id" | "createdAt" | "request">): boolean =>
  "flowId" in swap
    ? flow.id === swap.flowId
    : flow.createdAt >= swap.since && requestIdOf(flow.request, swap.walletKnown) === swap.request
