/** What happens when a swap has ended: it is remembered, and balances are read again. */
import type { SwapState } from "@geoswap/react"
import { usePage } from "../page.js"
import type { Trip } from "../trip.js"

/** Gives the function to call with the end of a swap. */
export const useEnded = () => {
  const { history, moved } = usePage()
  return ({ swap }: SwapState, trip: Trip, beganAt: number): void => {
    if (swap === undefined || swap.status === "pending") return
    moved(swap, trip)
    const { deliveryTxHash, failureCode, originTxHash, refundTxHash, status, swapId } = swap
    history.add({
      id: swapId,
      status,
      trip,
      beganAt,
      endedAt: Date.now(),
      ...(originTxHash !== undefined && { originTxHash }),
      ...(deliveryTxHash !== undefined && { deliveryTxHash }),
      ...(refundTxHash !== undefined && { refundTxHash }),
      ...(failureCode !== undefined && { failureCode })
    })
  }
}
