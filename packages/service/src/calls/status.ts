/** `GET /swap/status/{swapId}`: reads swaps, and wakes who waits for them. Sends no requests to any chain. */
import type { Swap } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Waiter } from "../concurrency/holdQueue.js"
import * as HoldQueue from "../concurrency/holdQueue.js"
import type { SwapSignals } from "../concurrency/SwapSignals.js"
import { type Refusal, refuse } from "../domain/Refusal.js"
import type { SwapRecord } from "../domain/SwapRecord.js"
import { viewOf } from "../domain/swapView.js"
import type { Store } from "../store/Store.js"
import { storeRefusal } from "../store/storeRefusal.js"

/** How long a status request waits for the swap to finish: about 15 seconds. */
const holdMillis = 15_000

/**
 * The maximum number of finished swaps to cache. When a swap finishes, all requests that were waiting for it read it at
 * the same time.
 */
const cacheCapacity = 10_000
/** How long a finished swap is cached. After that, its callers have read it. */
const cacheMillis = 60_000

/** Reads swaps without waiting. */
interface StatusReader {
  /** Returns a finished swap, if it is cached and belongs to the account. */
  readonly recall: (account: string, swapId: string) => Swap.Swap | undefined
  readonly read: (account: string, swapId: string) => Effect.Effect<Swap.Swap, Refusal>
}

/** Reads swaps, and waits for them as data, without a fiber for each waiting request. */
export interface Statuses extends StatusReader {
  /** Wakes the waiter when the swap has finished, after about 15 seconds, or when the process is shutting down. */
  readonly hold: (swapId: string, waiter: Waiter) => void
  readonly release: (swapId: string, waiter: Waiter) => void
}

/** Whether a swap as callers see it has finished. */
export const isFinished = ({ status }: Swap.Swap): boolean => status !== "pending"

/** A finished swap, which never changes. */
interface Finished {
  readonly accountId: string
  readonly view: Swap.Swap
  readonly until: number
}

/** Creates a reader that caches finished swaps. */
const makeReader = (store: Pick<Store, "swap">): StatusReader => {
  const finished = new Map<string, Finished>()
  const cache = (swap: SwapRecord, view: Swap.Swap, now: number): void => {
    finished.set(swap.id, { accountId: swap.accountId, view, until: now + cacheMillis })
    // The oldest entries come first.
    for (const [oldest, { until }] of finished) {
      if (now < until && finished.size <= cacheCapacity) break
      finished.delete(oldest)
    }
  }

  /** Treats another account's swap as not found, so that its existence is not revealed. */
  const notFound = () =>
    Effect.fail(refuse("SWAP_NOT_FOUND", "This account has no swap with that id. Use the id that submit returned."))

  return {
    recall: (account, swapId) => {
      const known = finished.get(swapId)
      return known?.accountId === account ? known.view : undefined
    },
    read: (account, swapId) => {
      const known = finished.get(swapId)
      if (known !== undefined) return known.accountId === account ? Effect.succeed(known.view) : notFound()
      return Effect.matchEffect(store.swap(swapId), {
        onFailure: () => Effect.fail(storeRefusal()),
        onSuccess: (found) => {
          const swap = Option.getOrUndefined(found)
          if (swap === undefined) return notFound()
          const view = viewOf(swap)
          const answer = swap.accountId === account ? Effect.succeed(view) : notFound()
          if (!isFinished(view)) return answer
          return Effect.flatMap(Clock.currentTimeMillis, (now) => {
            cache(swap, view, now)
            return answer
          })
        }
      })
    }
  }
}

/** Creates `Statuses`. */
export const makeStatuses = (signals: SwapSignals, store: Pick<Store, "swap">): Effect.Effect<Statuses> =>
  Effect.map(HoldQueue.make(holdMillis), (queue) => ({
    ...makeReader(store),
    hold: (swapId, waiter) => {
      queue.add(waiter)
      signals.join(swapId, waiter)
    },
    release: (swapId, waiter) => {
      queue.remove(waiter)
      signals.leave(swapId, waiter)
    }
  }))
