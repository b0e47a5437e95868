/** The state of a component's current or last swap. A component runs one swap at a time. */
import {
  type Client,
  type ExecuteInput,
  type Flow,
  type FlowId,
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
import { idle, isSent, methodOf, type SwapState, withEvent } from "./swapState.js"

/**
 * Whether a swap was started or resumed. If not, nothing happened:
 *
 * - `running`: another swap is running in this component. Wait until it finishes, or cancel it.
 * - `resumable`: the last swap was accepted, or may have been. Resume it, or call `reset` to discard it.
 */
export type StartResult<Reason = "running" | "resumable"> =
  | { readonly started: true }
  | { readonly started: false; readonly reason: Reason }

/** Whether the state was cleared. If a swap is running in this component, nothing happened. */
export type ResetResult = { readonly reset: true } | { readonly reset: false; readonly reason: "running" }

/** A swap's dependencies. */
interface SwapContext {
  readonly client: Client
  readonly cache: QueryClient
}

/** The swap store of one component. */
export interface SwapStore {
  readonly get: () => SwapState
  readonly subscribe: (notify: () => void) => () => void
  readonly start: (context: SwapContext, request: ExecuteInput, options?: StartOptions) => StartResult
  readonly resume: (context: SwapContext, flowId: FlowId) => StartResult<"running">
  readonly cancel: () => void
  readonly reset: () => ResetResult
}

const toError = (thrown: unknown): SwapError | Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))

/** Finds a swap's flow in the journal. Returns `fallback` if the journal does not respond in time. */
const flowOf = async (client: Client, swap: RunningSwap, fallback?: string): Promise<Pick<Flow, "id"> | undefined> => {
  const flows = await client.pending({ signal: AbortSignal.timeout(1_000) }).catch(() => undefined)
  if (flows === undefined) return fallback === undefined ? undefined : { id: fallback }
  return flows.findLast((flow) => flow.id === fallback || isFlowOf(swap, flow))
}

/**
 * Whether the swap may have been accepted despite the error. If the journal could not be written right after signing,
 * nothing was submitted.
 */
const mayBeAccepted = (thrown: unknown, { events }: SwapState): boolean => {
  if (!isSwapError(thrown) || thrown.retry === "resume") return true
  return ["JournalError", "LedgerError"].includes(thrown._tag) && events.at(-1)?.event.type !== "signed"
}

/** Returns the final state of a swap whose call to the client threw an error. */
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
    const resumable = mayBeAccepted(thrown, state) ? flowId : undefined
    return { ...state, phase: "failed", error: toError(thrown), flowId, resumable }
  }
  const { flowId } = state
  if (flowId === undefined && !isSent(state)) return { ...state, phase: "cancelled" }
  if (flowId !== undefined && state.swap !== undefined) return { ...state, phase: "cancelled", resumable: flowId }
  // The swap was cancelled while it was being submitted. Wait one task, so that the client can remove a flow that was
  // never sent.
  await new Promise((resolve) => setTimeout(resolve, 0))
  const remaining = (await flowOf(client, swap, flowId))?.id
  return { ...state, phase: "cancelled", flowId: remaining, resumable: remaining }
}

/** A store's listeners. */
export interface SwapListeners {
  readonly onProgress: (event: SwapEvent) => unknown
  /** Called when a swap ends, even after the component is unmounted. */
  readonly onEnd: (state: SwapState) => unknown
}

/** Creates a store. Errors that its listeners throw are logged and do not affect the swap. */
export const createSwapStore = ({ onEnd, onProgress }: SwapListeners): SwapStore => {
  const listeners = new Set<() => void>()
  let state = idle
  let stop = new AbortController()

  const publish = (next: SwapState) => {
    state = next
    for (const notify of listeners) callListener(notify)
  }

  /**
   * Runs the swap as a mutation in the query cache, so that the swap continues after the component is unmounted and is
   * visible to other components.
   */
  const run = <V>(
    { cache, client }: SwapContext,
    swap: RunningSwap,
    variables: V,
    optionsOf: (callOptions: SwapCallOptions) => SwapMutation<V>,
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
      mutationFn: async (variables, context) => {
        try {
          const settled = await withSwapLock(key, () => options.mutationFn(variables, context))
          const isCertain = settled.status === "settled" || settled.proof !== undefined
          const open = isCertain ? undefined : await flowOf(client, swap, state.flowId)
          end({ ...state, phase: "done", swap: settled, resumable: open?.id })
          return settled
        } catch (thrown) {
          await fail(thrown)
          throw thrown
        } finally {
          void cache.invalidateQueries({ queryKey: delegationKey })
          // Refresh the list of flows while this swap is still marked as running. Otherwise, a list that was read
          // earlier would briefly show the ended swap as resumable.
          await cache.invalidateQueries({ queryKey: pendingKey })
        }
      }
    })
    // If one of the cache's own callbacks throws before the swap starts, that also ends the swap.
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
      if (state.phase === "running") return { started: false, reason: "running" }
      if (state.resumable !== undefined) return { started: false, reason: "resumable" }
      publish({ ...idle, phase: "running", request, canCancel: true })
      run(
        context,
        runningSwap(request, Date.now()),
        { request, options },
        (callOptions) => swapMutationOptions(context.client, callOptions),
        options?.idempotencyKey
      )
      return { started: true }
    },
    resume: (context, flowId) => {
      if (state.phase === "running") return { started: false, reason: "running" }
      publish({ ...idle, phase: "running", flowId })
      run(context, { flowId }, flowId, (callOptions) => {
        const { mutationFn, ...options } = resumeMutationOptions(context.client, callOptions)
        return {
          ...options,
          mutationFn: async (...args) => {
            const flows = await context.client.pending({ signal: AbortSignal.timeout(1_000) }).catch(() => [])
            const flow = flows.find(({ id }) => id === flowId)
            if (flow) publish({ ...state, request: flow.request, paymentMethod: methodOf(flow) })
            return mutationFn(...args)
          }
        }
      })
      return { started: true }
    },
    cancel: () => stop.abort(),
    reset: () => {
      if (state.phase === "running") return { reset: false, reason: "running" }
      publish(idle)
      return { reset: true }
    }
  }
}
