/** Reorgs: what happens if the block with a collection transaction is reorged out. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Kind, SwapRecord } from "../../domain/SwapRecord.js"
import { change } from "../steps/stepActions.js"
import type { Worker } from "../Worker.js"

/** How long a node that no longer shows a transaction in a block is assumed to be merely lagging behind. */
const behindMillis = 5_000

/**
 * Removes the stored block if the collection transaction is no longer in a block. The input is then counted against the
 * wallet's balance again.
 */
export const excluded = Effect.fnUntraced(function* (worker: Worker, swap: SwapRecord, kind: Kind) {
  if (kind !== "collect" || swap.originBlock === undefined) return swap
  if ((yield* Clock.currentTimeMillis) - swap.updatedAt < behindMillis) return swap
  return yield* change(worker, swap, swap.state, "the collection transaction is no longer in a block", {
    originBlock: null
  })
})
