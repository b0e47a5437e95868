/** Takes a swap up again by itself once the network is back: that signs nothing and never pays twice. */
import type { SwapActions, SwapState } from "@geoswap/react"
import { useEffect } from "react"

/** Goes on with a swap whose end is not known, whenever the network comes back. */
export const useResumeOnReconnect = ({ phase, resumable, resume }: SwapState & Pick<SwapActions, "resume">): void => {
  const flowId = phase === "failed" ? resumable : undefined
  useEffect(() => {
    if (flowId === undefined) return
    const again = () => resume(flowId)
    window.addEventListener("online", again)
    return () => window.removeEventListener("online", again)
  }, [flowId, resume])
}
