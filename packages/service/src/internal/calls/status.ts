/** `GET /swap/status/{swapId}`: held until the swap has ended, and without a call to any chain. */
import type { Swap } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { refuse, type Refusal } from "../../Refusal.js"
import { isTerminal, type SwapRecord } from "../../SwapRecord.js"
import { storeRefusal } from "../refusals.js"
import { spanned } from "../spanned.js"
import { viewOf } from "../view.js"
import type { Parts } from "./parts.js"

/** §8: about 15 seconds. */
const holdMillis = 15_000

export const status = ({ changes, store }: Parts) => {
  /** Somebody else's swap is none: whether it exists is nobody's business. */
  const read = (account: string, swapId: string): Effect.Effect<SwapRecord, Refusal> =>
    Effect.matchEffect(store.swap(swapId), {
      onFailure: () => Effect.fail(storeRefusal()),
      onSuccess: (found) =>
        found._tag === "Some" && found.value.accountId === account
          ? Effect.succeed(found.value)
          : Effect.fail(
              refuse("SWAP_NOT_FOUND", "This account has no swap of that id: use the one that submit returned.")
            )
    })

  const held = (account: string, swapId: string): Effect.Effect<Swap.Swap, Refusal> =>
    Effect.scoped(
      Effect.gen(function* () {
        const ended = yield* changes.subscribe(swapId)
        // It may have ended between the first look and the subscription.
        const second = yield* read(account, swapId)
        if (isTerminal(second.state)) return viewOf(second)
        yield* Effect.raceFirst(ended, Effect.sleep(holdMillis))
        return viewOf(yield* read(account, swapId))
      })
    )

  return spanned("Service.status", (account: string, swapId: string) =>
    Effect.flatMap(read(account, swapId), (swap) =>
      isTerminal(swap.state) ? Effect.succeed(viewOf(swap)) : held(account, swapId)
    )
  )
}
