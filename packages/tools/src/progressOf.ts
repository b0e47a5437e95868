/** Converts the client's events to progress, without the fields that come from the service. */
import type { SwapEvent } from "@geoswap/core/promise"
import type { Progress } from "./Backend.js"

/** Converts an event of the client. */
export const progressOf = (event: SwapEvent): Progress => ({
  stage: event.type,
  ...("flowId" in event && { flowId: event.flowId }),
  ...("swap" in event && { swapId: event.swap.swapId, status: event.swap.status })
})
