/** Ends a swap on the operator's request, with a proof. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Store from "../store/Store.js"
import type { SwapRecord } from "../store/SwapRecord.js"

/** The swap cannot be ended so: the chains do not prove what is needed, or a worker is busy with it. */
export class NotProven extends Schema.TaggedError<NotProven>()("NotProven", { message: Schema.String }) {}

/** How long the swap is held for the one change. */
const leaseMillis = 15_000

/** A worker that looks at a swap holds it for a moment; one that works on it does so for longer. */
const patience = { tries: 40, millis: 250 }

/** Changes a swap that is still as it was when the proof was made. */
export const end = Effect.fnUntraced(function* (
  store: Store.Shape,
  { id, version }: SwapRecord,
  change: Omit<Store.Change, "swap" | "owner">
): Effect.fn.Return<SwapRecord, NotProven | Store.Conflict | Store.StoreUnavailable> {
  const owner = `operator ${crypto.randomUUID()}`
  let claimed = yield* store.claimOne({ id, owner, leaseMillis })
  for (let tries = 1; Option.isNone(claimed) && tries < patience.tries; tries++) {
    yield* Effect.sleep(patience.millis)
    claimed = yield* store.claimOne({ id, owner, leaseMillis })
  }
  // Since then a server may have signed something.
  if (Option.isNone(claimed) || claimed.value.version !== version) {
    if (Option.isSome(claimed)) yield* store.release(owner, [id])
    return yield* new NotProven({
      message: "A worker is busy with the swap, or changed it meanwhile: try again in a while."
    })
  }
  return yield* store.change({ ...change, swap: claimed.value, owner })
})
