/** Ends a swap on the operator's request, with a proof. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Store from "../store/Store.js"
import type { SwapRecord } from "../store/SwapRecord.js"

/** The swap cannot be ended so: the chains do not prove what is needed, or a worker is busy with it. */
export class NotProven extends Schema.TaggedError<NotProven>()("NotProven", { message: Schema.String }) {}

/** How long the swap is held for the one change. */
const leaseMillis = 15_000

/** Retries for about 10 seconds: a worker that only polls a swap holds it for a moment. */
const retries = { schedule: Schedule.spaced("250 millis"), times: 39 }

/** Changes a swap that is still as it was when the proof was made. */
export const finishSwap = Effect.fnUntraced(function* (
  store: Store.Shape,
  { id, version }: SwapRecord,
  change: Omit<Store.Change, "swap" | "owner">
): Effect.fn.Return<SwapRecord, NotProven | Store.Conflict | Store.StoreUnavailable> {
  const owner = `operator ${crypto.randomUUID()}`
  const claimed = yield* Effect.repeat(store.claimOne({ id, owner, leaseMillis }), {
    ...retries,
    until: Option.isSome
  })
  // Since then a server may have signed something.
  if (Option.isNone(claimed) || claimed.value.version !== version) {
    if (Option.isSome(claimed)) yield* store.release(owner, [id])
    return yield* new NotProven({
      message: "A worker is busy with the swap, or changed it meanwhile: try again in a while."
    })
  }
  return yield* store.change({ ...change, swap: claimed.value, owner })
})
