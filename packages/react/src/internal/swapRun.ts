/** One swap after the other in one place of a page. */
import {
  type Client,
  type ExecuteInput,
  type Flow,
  isSwapError,
  type Swap,
  type SwapError
} from "@geoswap/core/promise"
import type { QueryClient } from "@tanstack/query-core"
import { delegationKey } from "../query/delegation.js"
import { pendingKey } from "../query/pending.js"
import {
  isFlowOf,
  resumeMutationOptions,
  type StartOptions,
  type SwapListening,
  type SwapMutation,
  swapMutationOptions,
  type UnderWay,
  underWay
} from "../query/swap.js"
import { idle, isSent, type SwapState, withEvent } from "./swapState.js"

/** What a swap is made with. */
interface Means {
  readonly client: Client
  readonly cache: QueryClient
}

/** The swaps of one place in a page. */
export interface SwapRun {
  readonly get: () => SwapState
  readonly subscribe: (notify: () => void) => () => void
  readonly start: (means: Means, request: ExecuteInput, options?: StartOptions) => void
  readonly resume: (means: Means, flowId: string) => void
  readonly cancel: () => void
  readonly reset: () => void
}

const toError = (thrown: unknown): SwapError | Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))

/** The flow of a swap in the journal, where it has it and answers soon. */
const flowOf = async (client: Client, swap: UnderWay): Promise<Flow | undefined> => {
  const flows = await client.pending({ signal: AbortSignal.timeout(1_000) }).catch(() => [])
  return flows.findLast((flow) => isFlowOf(swap, flow))
}

/** The state at the end of a swap that threw. */
const endOf = async (state: SwapState, thrown: unknown, signal: AbortSignal, client: Client, swap: UnderWay) => {
  if (!signal.aborted || thrown !== signal.reason) {
    const flowId = isSwapError(thrown) && "flowId" in thrown ? thrown.flowId : undefined
    return { ...state, phase: "failed", error: toError(thrown), flowId: flowId ?? state.flowId } as const
  }
  if (state.flowId !== undefined || !isSent(state)) return { ...state, phase: "cancelled" } as const
  // It was left while it was being submitted. A turn later, since a flow that was never sent is forgotten first.
  await new Promise((resolve) => setTimeout(resolve, 0))
  return { ...state, phase: "cancelled", flowId: (await flowOf(client, swap))?.id } as const
}

/** A place for swaps. `onEnd` hears of every end, also of one that nothing shows any more. */
export const createSwapRun = (onEnd: (state: SwapState) => void): SwapRun => {
  const listeners = new Set<() => void>()
  let state = idle
  let stop = new AbortController()

  const publish = (next: SwapState) => {
    state = next
    for (const notify of listeners) notify()
  }

  const ensureIdle = () => {
    if (state.phase === "running") throw new Error("A swap is running here: wait for its end, or cancel it first.")
  }

  /** Runs as a mutation of the cache: it goes on without a component, and others can see that it does. */
  const run = <V>(
    { cache, client }: Means,
    swap: UnderWay,
    variables: V,
    optionsOf: (listening: SwapListening) => SwapMutation<V>
  ) => {
    stop = new AbortController()
    const { signal } = stop
    let over = false
    const end = (last: SwapState) => {
      if (over) return
      over = true
      const ended = { ...last, canCancel: false }
      publish(ended)
      // In a turn of its own: what it throws is reported, and changes nothing here.
      queueMicrotask(() => onEnd(ended))
    }
    const fail = async (thrown: unknown) => (over ? undefined : end(await endOf(state, thrown, signal, client, swap)))
    const options = optionsOf({ signal, onProgress: (event) => publish(withEvent(state, event)) })
    const mutations = cache.getMutationCache()
    const mutation = mutations.build<Swap, SwapError | Error, V, unknown>(cache, {
      ...options,
      gcTime: Infinity,
      mutationFn: async (given, context) => {
        try {
          const settled = await options.mutationFn(given, context)
          end({ ...state, phase: "done", swap: settled })
          return settled
        } catch (thrown) {
          await fail(thrown)
          throw thrown
        } finally {
          void cache.invalidateQueries({ queryKey: delegationKey })
          // While it still counts as under way: a list that was read before must not show what has ended.
          await cache.invalidateQueries({ queryKey: pendingKey })
        }
      }
    })
    // What the cache's own callbacks throw before the swap begins ends it too.
    const finished = mutation.execute(variables).catch(fail)
    void finished.finally(() => mutations.remove(mutation))
  }

  return {
    get: () => state,
    subscribe: (notify) => {
      listeners.add(notify)
      return () => listeners.delete(notify)
    },
    start: (means, request, options) => {
      ensureIdle()
      publish({ ...idle, phase: "running", request, canCancel: true })
      run(means, underWay(request, Date.now()), { request, options }, (listening) =>
        swapMutationOptions(means.client, listening)
      )
    },
    resume: (means, flowId) => {
      ensureIdle()
      publish({ ...idle, phase: "running", flowId })
      run(means, { flowId }, flowId, (listening) => {
        const { mutationFn, ...options } = resumeMutationOptions(means.client, listening)
        return {
          ...options,
          mutationFn: async (...given) => {
            const flow = await flowOf(means.client, { flowId })
            if (flow) publish({ ...state, request: flow.request })
            return mutationFn(...given)
          }
        }
      })
    },
    cancel: () => stop.abort(),
    reset: () => {
      ensureIdle()
      publish(idle)
    }
  }
}
