/** Counts the swaps that share a transaction. */
import type * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type { Kind } from "../domain/SwapRecord.js"
import { transactionItems } from "./series.js"

/** Counts a transaction that was signed for several swaps. */
export const countItems = (chainId: number, kind: Kind, items: number): Effect.Effect<void> =>
  Metric.update(transactionItems({ chain: String(chainId), kind }), items)
