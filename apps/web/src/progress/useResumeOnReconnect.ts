/** Resumes a swap when the browser comes back online. Resuming signs nothing and never pays twice. */
import type { SwapActions, SwapState } from "@geoswap/react"
import { useEffect } from "react"

/**
 * Resumes a swap whenever the browser comes back online, if the swap stopped with an error and its outcome is unknown.
 */
export const useResumeOnReconnect = ({ phase, resumable, resume }: SwapState & Pick<SwapActions, "resume">): void => {
  const flowId = phase === "failed" ? resumable : undefined
  useEffect(() => {
    if (flowId === undefined) return
    const resumeFlow = () => resume(flowId)
    window.addEventListener("online", resumeFlow)
    return () => window.removeEventListener("online", resumeFlow)
  }, [flowId, resume])
}
