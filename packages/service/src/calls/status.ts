/** `GET /swap/status/{swapId}`: waits until the swap has finished. Sends no requests to any chain. */
import type { Swap } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Refusal, refuse } from "../Refusal.js"
import { storeRefusal } from "../store/storeRefusal.js"
import { isTerminal, type SwapRecord } from "../store/SwapRecord.js"
import { withSpanIfTraced } from "../tracing/withSpanIfTraced.js"
import type { Dependencies } from "./Service.js"
import { viewOf } from "./swapView.js"

/** How long a status request waits for the swap to finish: about 15 seconds. */
const holdMillis = 15_000

/**
 * The maximum number of finished swaps to cache. When a swap finishes, all requests that were waiting for it read it at
 * the same time.
 */
const cacheCapacity = 10_000

export const status = ({ signals, store }: Pick<Dependencies, "signals" | "store">) => {
  /** Finished swaps, which never change. */
  const finished = new Map<string, SwapRecord>()
  const cache = (swap: SwapRecord): void => {
    const [oldest] = finished.keys()
    if (oldest !== undefined && finished.size >= cacheCapacity) finished.delete(oldest)
    finished.set(swap.id, swap)
  }

  /** Treats another account's swap as not found, so that its existence is not revealed. */
  const ownedBy = (account: string, swap: SwapRecord | undefined): Effect.Effect<SwapRecord, Refusal> =>
    swap?.accountId === account
      ? Effect.succeed(swap)
      : Effect.fail(refuse("SWAP_NOT_FOUND", "This account has no swap with that id. Use the id that submit returned."))

  const read = (account: string, swapId: string): Effect.Effect<SwapRecord, Refusal> => {
    const known = finished.get(swapId)
    if (known !== undefined) return ownedBy(account, known)
    return Effect.matchEffect(store.swap(swapId), {
      onFailure: () => Effect.fail(storeRefusal()),
      onSuccess: (found) => {
        const swap = Option.getOrUndefined(found)
        if (swap !== undefined && isTerminal(swap.state)) cache(swap)
        return ownedBy(account, swap)
      }
    })
  }

  const held = (account: string, swapId: string): Effect.Effect<Swap.Swap, Refusal> =>
    Effect.scoped(
      Effect.gen(function* () {
        const ended = yield* signals.subscribe(swapId)
        // The swap may have finished between the first read and the subscription.
        const second = yield* read(account, swapId)
        if (isTerminal(second.state)) return viewOf(second)
        yield* Effect.raceFirst(ended, Effect.sleep(holdMillis))
        return viewOf(yield* read(account, swapId))
      })
    )

  return withSpanIfTraced("Service.status", (account: string, swapId: string) =>
    Effect.flatMap(read(account, swapId), (swap) =>
      isTerminal(swap.state) ? Effect.succeed(viewOf(swap)) : held(account, swapId)
    )
  )
}
