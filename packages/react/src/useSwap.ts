/** Makes a swap, or takes one up, and shows how it goes. */
import type { ExecuteInput, SwapEvent } from "@geoswap/core/promise"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react"
import { useGeoswap } from "./GeoswapProvider.js"
import { createSwapStore } from "./internal/swapStore.js"
import type { SwapState } from "./internal/swapState.js"
import type { StartOptions } from "./query/swap.js"

/** What can be done about it. */
export interface SwapActions {
  /**
   * Starts a swap. Throws while one is running here, and while the last one is `resumable`. With an `idempotencyKey`, a
   * second call, a second tab and a reload lead to the same swap: see `useIdempotencyKey`.
   */
  readonly start: (request: ExecuteInput, options?: StartOptions) => void
  /** Takes up a flow of the journal: the very same bytes, never a second swap. Throws while a swap is running here. */
  readonly resume: (flowId: string) => void
  /** Stops it while `canCancel`; later, only stops watching it. */
  readonly cancel: () => void
  /** Forgets how the last one ended; a `resumable` one stays in the journal. Throws while a swap is running here. */
  readonly reset: () => void
}

/** Who is told. What a listener throws or rejects with is reported by `console.error`, and does not stop the swap. */
export interface UseSwapOptions {
  /** Told of every step, also after the component is gone. */
  readonly onProgress?: ((event: SwapEvent) => unknown) | undefined
  /** Told of every end: done, failed or cancelled, also after the component is gone. */
  readonly onEnd?: ((state: SwapState) => unknown) | undefined
}

/**
 * Makes a swap, or takes one up, and shows how it goes. A swap goes on when its component is gone; after a reload,
 * `useResumableSwaps` finds it.
 */
export const useSwap = ({ onEnd, onProgress }: UseSwapOptions = {}): SwapState & SwapActions => {
  const client = useGeoswap()
  const cache = useQueryClient()
  const listeners = useRef({ onEnd, onProgress })
  useEffect(() => {
    listeners.current = { onEnd, onProgress }
  }, [onEnd, onProgress])
  const [run] = useState(() =>
    createSwapStore({
      onProgress: (event) => listeners.current.onProgress?.(event),
      onEnd: (state) => listeners.current.onEnd?.(state)
    })
  )
  const state = useSyncExternalStore(run.subscribe, run.get, run.get)
  const actions = useMemo(
    (): SwapActions => ({
      start: (request, options) => run.start({ client, cache }, request, options),
      resume: (flowId) => run.resume({ client, cache }, flowId),
      cancel: run.cancel,
      reset: run.reset
    }),
    [run, client, cache]
  )
  return { ...state, ...actions }
}
