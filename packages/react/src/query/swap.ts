/** Swaps as mutations, and the swaps that are running in a cache. */
import {
  type Client,
  defaultSlippageBps,
  type ExecuteInput,
  type ExecuteOptions,
  type Flow,
  type FlowId,
  type Progress,
  type Swap,
  type SwapError,
  type WaitOptions
} from "@geoswap/core/promise"
import type { MutationFunction, MutationOptions, QueryClient } from "@tanstack/query-core"
import { requestKey, root } from "./keys.js"

/** The variables of a swap mutation: a request with the options for `execute`, or the id of a flow to resume. */
export type SwapVariables =
  | (ExecuteOptions & Progress & { readonly request: ExecuteInput; readonly flowId?: undefined })
  | (WaitOptions & Progress & { readonly flowId: FlowId; readonly request?: undefined })

/** The common prefix of the keys of all swap mutations. */
export const swapKey = [root, "swap"] as const

/** Makes a swap, or resumes a flow. */
export const runSwap = (client: Client, variables: SwapVariables): Promise<Swap> => {
  if (variables.flowId !== undefined) {
    const { flowId, ...options } = variables
    return client.resume(flowId, options)
  }
  const { request, ...options } = variables
  return client.execute(request, options)
}

/**
 * The defaults for swap mutations. A swap is never retried automatically, because a second attempt would be a second
 * swap. A finished mutation is removed from the cache after about 1 s without an observer. If `gcTime` were 0, the
 * cache would constantly check whether it can remove a running mutation that has no observer.
 */
export const swapDefaults = { networkMode: "always", retry: false, gcTime: 1_000 } as const

/** Returns mutation options for making a complete swap, or for resuming a flow from the store. */
export const swapMutationOptions = (
  client: Client
): MutationOptions<Swap, SwapError | Error, SwapVariables> & {
  readonly mutationFn: MutationFunction<Swap, SwapVariables>
} => ({
  ...swapDefaults,
  mutationKey: swapKey,
  mutationFn: (variables) => runSwap(client, variables)
})

/** A running swap. A resumed swap is identified by its flow, and any other swap by its request. */
export type RunningSwap =
  | { readonly flowId: FlowId }
  | { readonly since: number; readonly request: string; readonly walletKnown: boolean }

/**
 * Returns a string that identifies a request. The wallet address is left out if the caller did not set it and the
 * signer provides it.
 */
const requestIdOf = ({ slippageBps = defaultSlippageBps, ...request }: ExecuteInput, walletKnown: boolean): string =>
  requestKey({ ...request, slippageBps, walletAddress: walletKnown ? request.walletAddress : undefined })

/** Describes a swap that is starting. */
export const runningSwap = (variables: SwapVariables, since: number): RunningSwap => {
  if (variables.flowId !== undefined) return { flowId: variables.flowId }
  const walletKnown = variables.request.walletAddress !== undefined
  return { since, request: requestIdOf(variables.request, walletKnown), walletKnown }
}

/** Lists the swaps that are running in a query cache, whichever component started them. */
export const runningSwaps = (cache: QueryClient): ReadonlyArray<RunningSwap> =>
  cache
    .getMutationCache()
    .findAll({ mutationKey: swapKey, status: "pending" })
    .map(({ state }) => runningSwap(state.variables as SwapVariables, state.submittedAt))

/** Whether a flow in the store belongs to a running swap. */
export const isFlowOf = (swap: RunningSwap, flow: Pick<Flow, "id" | "createdAt" | "request">): boolean =>
  "flowId" in swap
    ? flow.id === swap.flowId
    : flow.createdAt >= swap.since && requestIdOf(flow.request, swap.walletKnown) === swap.request
