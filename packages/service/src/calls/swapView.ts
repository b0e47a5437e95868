/** A swap as callers see it. */
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
  // The stored hash may belong to a transaction whose block was reorged out, so a failed swap does not show it. A
  // reverted collection transaction is shown only after the revert is final.
  ...(originTxHash !== undefined && state !== "failed" && { originTxHash }),
  ...(revertedTxHash !== undefined && state === "failed" && { originTxHash: revertedTxHash }),
  ...(deliveryTxHash !== undefined && !refunds.has(state) && { deliveryTxHash }),
  ...(refundTxHash !== undefined && { refundTxHash }),
  ...(refundAmount !== undefined && { refundAmount }),
  ...(failureCode !== undefined && { failureCode })
})
