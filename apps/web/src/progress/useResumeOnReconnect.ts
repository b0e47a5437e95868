/** Resumes a swap when the browser comes back online. Resuming signs nothing and never pays twice. */
import type { UseSwapResult } from "@geoswap/react"
import { useEffect } from "react"

/**
 * Resumes a swap whenever the browser comes back online, if the swap stopped with an error and its outcome is unknown.
 */
export const useResumeOnReconnect = ({ isCancelled, isError, mutate, resumable }: UseSwapResult): void => {
  const flowId = isError && !isCancelled ? resumable : undefined
  useEffect(() => {
    if (flowId === undefined) return
    const resumeFlow = () => mutate({ flowId })
    window.addEventListener("online", resumeFlow)
    return () => window.removeEventListener("online", resumeFlow)
  }, [flowId, mutate])
}
