/** Makes or resumes a swap. */
import { type Swap, type SwapError, type SwapStep, swapSteps } from "@geoswap/core/promise"
import {
  type DistributiveOmit,
  useMutation,
  type UseMutationOptions,
  type UseMutationResult,
  useQueryClient
} from "@tanstack/react-query"
import { useMemo, useState, useSyncExternalStore } from "react"
import { useGeoswap } from "./GeoswapProvider.js"
import { callListener } from "./internal/callListener.js"
import { createProgressStore, isSent, type SwapProgress } from "./internal/swapProgress.js"
import { delegationKey } from "./query/delegation.js"
import { uniqueId } from "./query/keys.js"
import { pendingKey } from "./query/pending.js"
import { swapDefaults, swapKey, type SwapVariables } from "./query/swap.js"

type Options = UseMutationOptions<Swap, SwapError | Error, SwapVariables>
type Result = UseMutationResult<Swap, SwapError | Error, SwapVariables>
type MutationState = DistributiveOmit<Result, "mutate" | "mutateAsync" | "reset">

/**
 * Listeners for `useSwap`, as for TanStack Query's `useMutation`. They are called even after the component is unmounted.
 * Errors thrown by a listener are logged with `console.error` and do not affect the swap.
 */
interface UseSwapOptions extends Pick<Options, "onError" | "onSettled" | "onSuccess"> {}

/** A mutation of TanStack Query, and the progress of its swap. */
export type UseSwapResult = MutationState &
  SwapProgress & {
    /** The steps of the swap, in order. Empty before the first swap. */
    readonly steps: ReadonlyArray<SwapStep>
    /**
     * Whether the swap is running and no signature has been sent yet. While this is `true`, cancelling stops the swap.
     * Once a signature has been sent, cancelling only stops watching the swap, which continues and can be resumed by its
     * `flowId`.
     */
    readonly canCancel: boolean
    /** Stops the swap if `canCancel` is `true`. Otherwise, only stops watching the swap. */
    readonly cancel: () => void
    /**
     * Starts a swap with `{ request }`, or resumes a flow from the store with `{ flowId }`. A resumed flow reuses its
     * signature, so resuming never leads to a second swap. With an `idempotencyKey`, a second call, a second tab or a
     * reload leads to the same swap; see `useIdempotencyKey`.
     *
     * Does nothing if a swap is running in this component, and returns the reason. Also does nothing if the last swap is
     * `resumable`, unless it resumes a flow: call `reset` to discard that swap.
     */
    readonly mutate: (
      ...args: Parameters<Result["mutate"]>
    ) => { readonly started: true } | { readonly started: false; readonly reason: "running" | "resumable" }
    /** Like `mutate`, but returns the swap's end, and rejects if the swap fails or was not started. */
    readonly mutateAsync: Result["mutateAsync"]
    /** Clears the last result. A `resumable` swap stays in the store. Does nothing while a swap is running. */
    readonly reset: () => void
  }

const refusals = {
  running: "A swap is running in this component. Wait until it finishes, or cancel it.",
  resumable: "The last swap was accepted, or may have been. Resume it, or call reset to discard it."
}

/**
 * Makes or resumes a swap and returns its mutation and its progress. A swap continues after its component is unmounted.
 * After a reload, `useResumableSwaps` finds the swap.
 */
export const useSwap = ({ onError, onSettled, onSuccess }: UseSwapOptions = {}): UseSwapResult => {
  const client = useGeoswap()
  const cache = useQueryClient()
  const [store] = useState(createProgressStore)
  const [mutationKey] = useState(() => [...swapKey, uniqueId()])
  const { end, ...progress } = useSyncExternalStore(store.subscribe, store.get, store.get)
  const { mutate, mutateAsync, reset, ...mutation } = useMutation<Swap, SwapError | Error, SwapVariables>({
    ...swapDefaults,
    mutationKey,
    mutationFn: async (variables) => {
      try {
        return await store.run(client, variables)
      } finally {
        void cache.invalidateQueries({ queryKey: delegationKey })
        // Refresh the list of flows while this swap is still marked as running. Otherwise, a list that was read earlier
        // would briefly show the ended swap as resumable.
        await cache.invalidateQueries({ queryKey: pendingKey })
      }
    },
    onError: (...args) => callListener(() => onError?.(...args)),
    onSettled: (...args) => callListener(() => onSettled?.(...args)),
    onSuccess: (...args) => callListener(() => onSuccess?.(...args))
  })

  const actions = useMemo((): Pick<UseSwapResult, "cancel" | "mutate" | "mutateAsync" | "reset"> => {
    const isRunning = () => cache.isMutating({ mutationKey }) > 0
    const start = (variables: SwapVariables) => {
      if (isRunning()) return "running"
      if (variables.flowId === undefined && store.get().resumable !== undefined) return "resumable"
      store.start(variables)
      return undefined
    }
    return {
      cancel: store.cancel,
      mutate: (variables, options) => {
        const reason = start(variables)
        if (reason !== undefined) return { started: false, reason }
        mutate(variables, options)
        return { started: true }
      },
      mutateAsync: async (variables, options) => {
        const reason = start(variables)
        if (reason !== undefined) throw new Error(refusals[reason])
        return mutateAsync(variables, options)
      },
      reset: () => {
        if (isRunning()) return
        store.reset()
        reset()
      }
    }
  }, [cache, mutate, mutateAsync, mutationKey, reset, store])

  const { isIdle, isPending, variables } = mutation
  const resumable = isPending ? undefined : progress.resumable
  const isCancelled = mutation.isError && progress.isCancelled
  const steps = useMemo(() => {
    if (isIdle) return []
    const events = progress.events.map(({ event }) => event)
    const stopped = resumable === undefined && !isCancelled ? "failed" : "unknown"
    return swapSteps(events, {
      first: variables?.flowId === undefined ? "quote" : "submit",
      stopped: isPending ? undefined : stopped
    })
  }, [isCancelled, isIdle, isPending, progress.events, resumable, variables])
  return {
    // If a callback of the mutation cache throws after the swap has ended, the swap has not failed.
    ...(mutation.isError && end
      ? ({ ...mutation, data: end, error: null, isError: false, isSuccess: true, status: "success" } as MutationState)
      : mutation),
    ...progress,
    ...actions,
    resumable,
    steps,
    isCancelled,
    canCancel: isPending && progress.flowId === undefined && !isSent(progress)
  }
}
