/** Resumes a swap when the browser comes back online. Resuming signs nothing and never pays twice. */
import type { SwapActions, SwapState } from "@geoswap/react"
import { useEffect } from "react"

/** Whenever the browser comes back online, resumes a swap that stopped with an error and whose outcome is unknown. */
export const useResumeOnReconnect = ({ phase, resumable, resume }: SwapState & Pick<SwapActions, "resume">): void => {
  const flowId = phase === "failed" ? resumable : undefined
  useEffect(() => {
    if (flowId === undefined) return
    const resumeFlow = () => resume(flowId)
    window.addEventListener("online", resumeFlow)
    return () => window.removeEventListener("online", resumeFlow)
  }, [flowId, resume])
}
