/** `GET /swap/status/{swapId}`: held until the swap has ended, and without a call to any chain. */
import * as Effect from "effect/Effect"
import { refuse, type Refusal } from "../../Refusal.js"
import { isTerminal, type SwapRecord } from "../../SwapRecord.js"
import { storeRefusal } from "../refusals.js"
import { viewOf } from "../view.js"
import type { Parts } from "./parts.js"

/** §8: about 15 seconds. */
const holdMillis = 15_000

export const status = ({ changes, store }: Parts) =>
  Effect.fn("Service.status")(function* (account: string, swapId: string) {
    const read = store.swap(swapId).pipe(
      Effect.mapError(storeRefusal),
      Effect.flatMap((found): Effect.Effect<SwapRecord, Refusal> =>
        // Somebody else's swap is none: whether it exists is nobody's business.
        found._tag === "Some" && found.value.accountId === account
          ? Effect.succeed(found.value)
          : Effect.fail(
              refuse("SWAP_NOT_FOUND", "This account has no swap of that id: use the one that submit returned.")
            )
      )
    )
    const first = yield* read
    if (isTerminal(first.state)) return viewOf(first)
    return yield* Effect.scoped(
      Effect.gen(function* () {
        const ended = yield* changes.subscribe(swapId)
        // It may have ended between the first look and the subscription.
        const second = yield* read
        if (isTerminal(second.state)) return viewOf(second)
        yield* Effect.raceFirst(ended, Effect.sleep(holdMillis))
        return viewOf(yield* read)
      })
    )
  })
