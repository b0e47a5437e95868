/** What a caller sees of a swap. */
import type { Swap } from "@geoswap/core"
import { type State, statusOf, type SwapRecord } from "../SwapRecord.js"

const refunds: ReadonlySet<State> = new Set(["refund_prepared", "refund_sent", "refunded"])

export const viewOf = ({
  deliveryTxHash,
  failureCode,
  id,
  originTxHash,
  refundAmount,
  refundTxHash,
  state
}: SwapRecord): Swap.Swap => ({
  swapId: id,
  status: statusOf(state),
  // A block may have shown them and be gone: of what did not happen nothing is told.
  ...(originTxHash !== undefined && state !== "failed" && { originTxHash }),
  ...(deliveryTxHash !== undefined && !refunds.has(state) && { deliveryTxHash }),
  ...(refundTxHash !== undefined && { refundTxHash }),
  ...(refundAmount !== undefined && { refundAmount }),
  ...(failureCode !== undefined && { failureCode })
})
