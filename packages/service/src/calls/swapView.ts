/** What a caller sees of a swap. */
import type { Swap } from "@geoswap/core"
import { type State, statusOf, type SwapRecord } from "../store/SwapRecord.js"

const refunds: ReadonlySet<State> = new Set(["refund_prepared", "refund_sent", "refunded"])

export const viewOf = ({
  deliveryTxHash,
  failureCode,
  id,
  originTxHash,
  refundAmount,
  refundTxHash,
  revertedTxHash,
  state
}: SwapRecord): Swap.Swap => ({
  swapId: id,
  status: statusOf(state),
  // A block may have shown them and be gone: what did not happen is not shown. A collect that reverted is on the chain.
  ...(originTxHash !== undefined && state !== "failed" && { originTxHash }),
  ...(revertedTxHash !== undefined && state === "failed" && { originTxHash: revertedTxHash }),
  ...(deliveryTxHash !== undefined && !refunds.has(state) && { deliveryTxHash }),
  ...(refundTxHash !== undefined && { refundTxHash }),
  ...(refundAmount !== undefined && { refundAmount }),
  ...(failureCode !== undefined && { failureCode })
})
