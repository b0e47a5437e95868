/** One swap after the other in one place of a page. */
import {
  type Client,
  type ExecuteInput,
  type Flow,
  isSwapError,
  type Swap,
  type SwapError,
  type SwapEvent
} from "@geoswap/core/promise"
import type { QueryClient } from "@tanstack/query-core"
import { delegationKey } from "../query/delegation.js"
import { pendingKey } from "../query/pending.js"
import {
  isFlowOf,
  resumeMutationOptions,
  type StartOptions,
  type SwapCallOptions,
  type SwapMutation,
  swapMutationOptions,
  type RunningSwap,
  runningSwap
} from "../query/swap.js"
import { withSwapLock } from "./webLocks.js"
import { callListener } from "./callListener.js"
import { idle, isSent, type SwapState, withEvent } from "./swapState.js"

/** What a swap is made with. */
interface SwapContext {
  readonly client: Client
  readonly cache: QueryClient
}

/** The swaps of one place in a page. */
export interface SwapStore {
  readonly get: () => SwapState
  readonly subscribe: (notify: () => void) => () => void
  readonly start: (context: SwapContext, request: ExecuteInput, options?: StartOptions) => void
  readonly resume: (context: SwapContext, flowId: string) => void
  readonly cancel: () => void
  readonly reset: () => void
}

const toError = (thrown: unknown): SwapError | Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))

/** The flow of a swap in the journal; `undefined` where it has none, and `fallback` where it does not answer soon. */
const flowOf = async (client: Client, swap: RunningSwap, fallback?: string): Promise<Pick<Flow, "id"> | undefined> => {
  const flows = await client.pending({ signal: AbortSignal.timeout(1_000) }).catch(() => undefined)
  if (flows === undefined) return fallback === undefined ? undefined : { id: fallback }
  return flows.findLast((flow) => flow.id === fallback || isFlowOf(swap, flow))
}

/**
 * Whether an error may leave a flow that was accepted. Any other one says that nothing was, and so does a journal that
 * could not be written right after the signature.
 */
const isOpen = (thrown: unknown, { events }: SwapState): boolean => {
  if (!isSwapError(thrown) || thrown.retry === "resume") return true
  return ["JournalError", "LedgerError"].includes(thrown._tag) && events.at(-1)?.event.type !== "signed"
}

/** The state at the end of a swap that threw. */
const endOf = async (
  state: SwapState,
  thrown: unknown,
  signal: AbortSignal,
  client: Client,
  swap: RunningSwap
): Promise<SwapState> => {
  if (!signal.aborted || thrown !== signal.reason) {
    const named = isSwapError(thrown) && "flowId" in thrown ? thrown.flowId : undefined
    const flowId = named || state.flowId
    const resumable = isOpen(thrown, state) ? flowId : undefined
    return { ...state, phase: "failed", error: toError(thrown), flowId, resumable }
  }
  const { flowId } = state
  if (flowId === undefined && !isSent(state)) return { ...state, phase: "cancelled" }
  if (flowId !== undefined && state.swap !== undefined) return { ...state, phase: "cancelled", resumable: flowId }
  // It was left while it was being submitted. A turn later, since a flow that was never sent is forgotten first.
  await new Promise((resolve) => setTimeout(resolve, 0))
  const left = (await flowOf(client, swap, flowId))?.id
  return { ...state, phase: "cancelled", flowId: left, resumable: left }
}

/** Who hears of the swaps of a place. */
export interface SwapListeners {
  readonly onProgress: (event: SwapEvent) => unknown
  /** Hears of every end, also of one that nothing shows any more. */
  readonly onEnd: (state: SwapState) => unknown
}

/** A place for swaps. What its listeners throw is reported, and changes nothing here. */
export const createSwapStore = ({ onEnd, onProgress }: SwapListeners): SwapStore => {
  const listeners = new Set<() => void>()
  let state = idle
  let stop = new AbortController()

  const publish = (next: SwapState) => {
    state = next
    for (const notify of listeners) callListener(notify)
  }

  const ensureIdle = () => {
    if (state.phase === "running") throw new Error("A swap is running here: wait for its end, or cancel it first.")
  }

  const ensureSettled = () => {
    ensureIdle()
    if (state.resumable === undefined) return
    throw new Error("The last swap here was or may have been accepted: resume it, or call reset() to leave it.")
  }

  /** Runs as a mutation of the cache: it goes on without a component, and others can see that it does. */
  const run = <V>(
    { cache, client }: SwapContext,
    swap: RunningSwap,
    variables: V,
    optionsOf: (listening: SwapCallOptions) => SwapMutation<V>,
    key?: string
  ) => {
    stop = new AbortController()
    const { signal } = stop
    let over = false
    const end = (last: SwapState) => {
      if (over) return
      over = true
      const ended = { ...last, canCancel: false }
      publish(ended)
      queueMicrotask(() => callListener(() => onEnd(ended)))
    }
    const fail = async (thrown: unknown) => (over ? undefined : end(await endOf(state, thrown, signal, client, swap)))
    const options = optionsOf({
      signal,
      onProgress: (event) => {
        publish(withEvent(state, event))
        callListener(() => onProgress(event))
      }
    })
    const mutations = cache.getMutationCache()
    const mutation = mutations.build<Swap, SwapError | Error, V, unknown>(cache, {
      ...options,
      gcTime: Infinity,
      mutationFn: async (given, context) => {
        try {
          const settled = await withSwapLock(key, () => options.mutationFn(given, context))
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
    start: (context, request, options) => {
      ensureSettled()
      publish({ ...idle, phase: "running", request, canCancel: true })
      run(
        context,
        runningSwap(request, Date.now()),
        { request, options },
        (listening) => swapMutationOptions(context.client, listening),
        options?.idempotencyKey
      )
    },
    resume: (context, flowId) => {
      ensureIdle()
      publish({ ...idle, phase: "running", flowId })
      run(context, { flowId }, flowId, (listening) => {
        const { mutationFn, ...options } = resumeMutationOptions(context.client, listening)
        return {
          ...options,
          mutationFn: async (...given) => {
            const flows = await context.client.pending({ signal: AbortSignal.timeout(1_000) }).catch(() => [])
            const flow = flows.find(({ id }) => id === flowId)
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
