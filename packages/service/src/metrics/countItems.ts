/** Counts the swaps that share a transaction. */
import * as Metric from "effect/Metric"
import type { Kind } from "../domain/SwapRecord.js"
import { transactionItems } from "./series.js"

/** Counts a transaction that was signed for several swaps. */
export const countItems = (chainId: number, kind: Kind, items: number) =>
  Metric.update(transactionItems({ chain: String(chainId), kind }), items)
