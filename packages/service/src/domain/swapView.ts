/** A swap as callers see it. */
import type { Swap } from "@geoswap/core"
import { isTerminal, type State, statusOf, type SwapRecord } from "./SwapRecord.js"

const refunds: ReadonlySet<State> = new Set(["refund_prepared", "refund_sent", "refunded"])

/** The terms of a swap, which are fixed when it is accepted. */
const termsOf = (swap: SwapRecord) => ({
  input: { chainId: swap.originChain, token: swap.inputToken, amount: swap.amount },
  quotedOutput: { chainId: swap.destinationChain, token: swap.outputToken, amount: swap.output },
  feeBps: swap.feeBps,
  networkCost: swap.networkCost,
  recipient: swap.recipient
})

/** What a finished swap paid, if that is known, and when it finished. A finished swap never changes. */
const outcomeOf = ({ state, updatedAt, paidAmount: amount }: SwapRecord, terms: ReturnType<typeof termsOf>) => ({
  ...(state === "settled" && amount !== undefined && { output: { ...terms.quotedOutput, amount } }),
  ...(state === "refunded" && amount !== undefined && { refund: { ...terms.input, amount } }),
  ...(isTerminal(state) && { finishedAt: new Date(updatedAt) })
})

export const viewOf = (swap: SwapRecord): Swap.Swap => {
  const { deliveryTxHash, failureCode, originTxHash, refundAmount, refundTxHash, revertedTxHash, state } = swap
  const { collectedAt, createdAt } = swap
  const terms = termsOf(swap)
  return {
    swapId: swap.id,
    status: statusOf(state),
    // The stored hash may belong to a transaction whose block was reorged out, so a failed swap does not show it. A
    // reverted collection transaction is shown only after the revert is final.
    ...(originTxHash !== undefined && state !== "failed" && { originTxHash }),
    ...(revertedTxHash !== undefined && state === "failed" && { originTxHash: revertedTxHash }),
    // The same holds for the delivery of a refunded swap.
    ...(deliveryTxHash !== undefined && !refunds.has(state) && { deliveryTxHash }),
    ...(revertedTxHash !== undefined && state === "refunded" && { deliveryTxHash: revertedTxHash }),
    ...(refundTxHash !== undefined && { refundTxHash }),
    ...(refundAmount !== undefined && { refundAmount }),
    ...(failureCode !== undefined && { failureCode }),
    ...terms,
    acceptedAt: new Date(createdAt),
    ...(collectedAt !== undefined && { collectedAt: new Date(collectedAt) }),
    ...outcomeOf(swap, terms)
  }
}
