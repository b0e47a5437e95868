/** Records a finished swap and refreshes the balances that it changed. */
import type { Swap } from "@geoswap/core/promise"
import { announceEnd } from "../progress/endNotice.js"
import { usePage } from "../pageContext.js"
import { partialRefund, type SwapSummary } from "../swapSummary.js"

/** Returns the function to call when a swap ends. */
export const useRecordSwap = () => {
  const { activity, resetBalances } = usePage()
  return (swap: Swap, wallet: string | undefined, summary: SwapSummary, beganAt: number) => {
    if (swap.status === "pending" || wallet === undefined) return
    resetBalances(swap, summary)
    announceEnd(swap, summary)
    const { deliveryTxHash, failureCode, originTxHash, refundTxHash, status, swapId } = swap
    activity.add({
      id: swapId,
      status,
      trip: summary,
      wallet,
      beganAt,
      endedAt: Date.now(),
      originTxHash,
      deliveryTxHash,
      refundTxHash,
      refunded: partialRefund(summary, swap)?.amount,
      failureCode
    })
  }
}
