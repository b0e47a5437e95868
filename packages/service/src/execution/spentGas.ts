/** Records what a swap's final transactions cost. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Outcome } from "../chains/Chains.js"
import { countSpentGas } from "../metrics/countSpentGas.js"
import type { StoreUnavailable } from "../store/Store.js"
import type { Kind, SwapRecord } from "../store/SwapRecord.js"
import { chainFor } from "./jobs.js"
import type { Worker } from "./stepActions.js"

/**
 * Records the costs before the swap changes. If the process stops in between, the next one observes the same outcome
 * and records the same costs again, which has no effect.
 */
export const recordSpentGas = Effect.fnUntraced(function* (
  { directory, store }: Worker,
  swap: SwapRecord,
  kind: Kind,
  { costs = [] }: Extract<Outcome, { readonly _tag: "Done" | "Dead" }>
): Effect.fn.Return<void, StoreUnavailable> {
  if (costs.length === 0) return
  const { id: chainId } = chainFor(directory.chains, swap, kind)
  const at = yield* Clock.currentTimeMillis
  const entries = costs.map((cost) => ({ ...cost, swapId: swap.id, kind, chainId, at }))
  const recorded = yield* store.spentGas.record(entries)
  yield* Effect.forEach(recorded, countSpentGas, { discard: true })
})
