/** Records what a swap's final transactions cost. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Outcome } from "../../chains/Outcome.js"
import type { SpentGas } from "../../domain/SpentGas.js"
import type { Kind, SwapRecord } from "../../domain/SwapRecord.js"
import { countSpentGas } from "../../metrics/countSpentGas.js"
import type { Worker } from "../Worker.js"
import { chainFor } from "./swapJobs.js"

/** The maximum number of swaps whose unrecorded costs are kept. */
const capacity = 10_000

/** Writes entries to the ledger. Returns whether they are recorded. */
const write = ({ spentGas }: Worker["store"], entries: ReadonlyArray<SpentGas>): Effect.Effect<boolean> =>
  spentGas.record(entries).pipe(
    Effect.flatMap((recorded) => Effect.forEach(recorded, countSpentGas, { discard: true })),
    Effect.as(true),
    Effect.catch(({ message }) => Effect.as(Effect.logWarning(`costs are recorded later: ${message}`), false))
  )

/**
 * Records the costs before the swap changes. If the process stops in between, the next one observes the same outcome
 * and records the same costs again, which has no effect. If the costs cannot be written, the swap continues: they are
 * written after the costs of a later transaction, unless the process stops before.
 */
export const recordSpentGas = Effect.fnUntraced(function* (
  worker: Worker,
  swap: SwapRecord,
  kind: Kind,
  { costs = [] }: Extract<Outcome, { readonly _tag: "Done" | "Dead" }>
) {
  if (costs.length === 0) return
  const { store, unrecorded } = worker
  const { id: chainId } = chainFor(worker, swap, kind)
  const at = yield* Clock.currentTimeMillis
  const key = `${kind} ${swap.id}`
  const entries = costs.map((cost) => ({ ...cost, swapId: swap.id, kind, chainId, at }))
  if (!(yield* write(store, entries))) {
    if (unrecorded.size < capacity) unrecorded.set(key, entries)
    return
  }
  unrecorded.delete(key)
  const [earlier] = unrecorded
  if (earlier === undefined) return
  unrecorded.delete(earlier[0])
  if (!(yield* write(store, earlier[1]))) unrecorded.set(...earlier)
})
