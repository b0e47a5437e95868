/** What happens when a swap has ended: it is remembered, and balances are read anew. */
import type { SwapState } from "@geoswap/react"
import { useQueryClient } from "@tanstack/react-query"
import { balancesKey } from "../balances.js"
import { usePage } from "../page.js"
import type { Trip } from "../trip.js"

/** Gives the function to call with the end of a swap. */
export const useEnded = () => {
  const { history } = usePage()
  const client = useQueryClient()
  return ({ swap }: SwapState, trip: Trip, beganAt: number): void => {
    void client.invalidateQueries({ queryKey: [balancesKey] })
    if (swap === undefined || swap.status === "pending") return
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
