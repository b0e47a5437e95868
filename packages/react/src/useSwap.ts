/** Makes or resumes a swap. */
import type { ExecuteInput, FlowId, SwapEvent } from "@geoswap/core/promise"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react"
import { useGeoswap } from "./GeoswapProvider.js"
import { createSwapStore, type ResetResult, type StartResult } from "./internal/swapStore.js"
import type { SwapState } from "./internal/swapState.js"
import type { StartOptions } from "./query/swap.js"

/** The actions that `useSwap` returns. */
export interface SwapActions {
  /**
   * Starts a swap. Does nothing if a swap is running in this component or if the last swap is `resumable`, and returns
   * the reason. With an `idempotencyKey`, a second call, a second tab or a reload leads to the same swap; see
   * `useIdempotencyKey`.
   */
  readonly start: (request: ExecuteInput, options?: StartOptions) => StartResult
  /**
   * Resumes a flow from the journal. The flow's signature is reused, so this never leads to a second swap. Does nothing
   * if a swap is running in this component, and returns the reason.
   */
  readonly resume: (flowId: FlowId) => StartResult<"running">
  /** Stops the swap if `canCancel` is `true`. Otherwise, only stops watching the swap. */
  readonly cancel: () => void
  /**
   * Clears the last result. A `resumable` swap stays in the journal. Does nothing if a swap is running in this component,
   * and returns the reason.
   */
  readonly reset: () => ResetResult
}

/** Listeners for `useSwap`. Errors thrown by a listener are logged with `console.error` and do not stop the swap. */
export interface UseSwapOptions {
  /** Called for every event, even after the component is unmounted. */
  readonly onProgress?: ((event: SwapEvent) => unknown) | undefined
  /** Called when a swap finishes, fails or is cancelled, even after the component is unmounted. */
  readonly onEnd?: ((state: SwapState) => unknown) | undefined
}

/**
 * Makes or resumes a swap and returns its state. A swap continues after its component is unmounted. After a reload,
 * `useResumableSwaps` finds the swap.
 */
export const useSwap = ({ onEnd, onProgress }: UseSwapOptions = {}): SwapState & SwapActions => {
  const client = useGeoswap()
  const cache = useQueryClient()
  const listeners = useRef({ onEnd, onProgress })
  useEffect(() => {
    listeners.current = { onEnd, onProgress }
  }, [onEnd, onProgress])
  const [store] = useState(() =>
    createSwapStore({
      onProgress: (event) => listeners.current.onProgress?.(event),
      onEnd: (state) => listeners.current.onEnd?.(state)
    })
  )
  const state = useSyncExternalStore(store.subscribe, store.get, store.get)
  const actions = useMemo(
    (): SwapActions => ({
      start: (request, options) => store.start({ client, cache }, request, options),
      resume: (flowId) => store.resume({ client, cache }, flowId),
      cancel: store.cancel,
      reset: store.reset
    }),
    [store, client, cache]
  )
  return { ...state, ...actions }
}
