/** Finishes a swap at the operator's request, based on a proof from the chains. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type { SwapRecord } from "../../domain/SwapRecord.js"
import type * as Store from "../../store/Store.js"
import type { Change } from "../../store/swaps/Change.js"

/** The chains do not provide the required proof, or a worker has claimed the swap. */
export class NotProven extends Schema.TaggedError<NotProven>()("NotProven", { message: Schema.String }) {}

export const notProven = (message: string): NotProven => new NotProven({ message })

/** How long the swap stays claimed while the change is made. */
const leaseMillis = 15_000

/** Retries the claim for about 10 seconds, because a worker that only polls a swap releases it after just a moment. */
const retries = { schedule: Schedule.spaced("250 millis"), times: 39, until: Option.isSome<SwapRecord> }

/** Changes a swap, unless it has changed since the proof was obtained. */
export const finishSwap = Effect.fnUntraced(function* (
  store: Store.Store,
  { id, version }: SwapRecord,
  change: Omit<Change, "swap" | "owner">
) {
  const owner = `operator ${crypto.randomUUID()}`
  const claimed = yield* Effect.repeat(store.claimOne({ id, owner, leaseMillis }), retries)
  // A server may have signed a transaction since the proof was obtained.
  if (Option.isNone(claimed) || claimed.value.version !== version) {
    if (Option.isSome(claimed)) yield* store.release(owner, [id])
    return yield* notProven("A worker is processing the swap, or has changed it in the meantime. Try again later.")
  }
  return yield* store.change({ ...change, swap: claimed.value, owner })
})
