/**
 * Span attributes for a swap. The attributes are enough to find the swap and its transactions, but do not reveal who is
 * swapping what.
 */
import { isTerminal, type State, type SwapRecord } from "../domain/SwapRecord.js"

type Place = "origin" | "delivery" | "refund"

/** The part of the swap that each state belongs to. */
const placeOf: Readonly<Record<State, Place>> = {
  accepted: "origin",
  origin_prepared: "origin",
  origin_sent: "origin",
  origin_final: "delivery",
  delivery_prepared: "delivery",
  delivery_sent: "delivery",
  settled: "delivery",
  failed: "origin",
  refund_prepared: "refund",
  refund_sent: "refund",
  refunded: "refund"
}

/** The attributes of a span that covers one state. */
export const attributesOf = (swap: SwapRecord, state: State): Readonly<Record<string, unknown>> => {
  const place = placeOf[state]
  const hash = { origin: swap.originTxHash, delivery: swap.deliveryTxHash, refund: swap.refundTxHash }[place]
  return {
    swapId: swap.id,
    state,
    chain: place === "delivery" ? swap.destinationChain : swap.originChain,
    ...(hash !== undefined && { transactionHash: hash }),
    ...(swap.state !== state && { next: swap.state }),
    ...(isTerminal(state) && swap.failureCode !== undefined && { failureCode: swap.failureCode })
  }
}
