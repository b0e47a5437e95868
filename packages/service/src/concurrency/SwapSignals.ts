/** Signals between the executor and the API calls: a swap has finished, or a swap has been accepted. */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Waiter } from "./holdQueue.js"

export interface SwapSignals {
  /** Wakes all subscribers to a swap that has finished. */
  readonly publish: (swapId: string) => Effect.Effect<void>
  /**
   * Subscribes to a swap until the scope closes. The inner effect returns once the swap has finished or `drain` has
   * been called.
   */
  readonly subscribe: (swapId: string) => Effect.Effect<Effect.Effect<void>, never, Scope.Scope>
  /**
   * Wakes the waiter when the swap has finished or `drain` has been called, possibly more than once, until it leaves.
   * While the process is shutting down, wakes the waiter at once.
   */
  readonly join: (swapId: string, waiter: Waiter) => void
  readonly leave: (swapId: string, waiter: Waiter) => void
  /** Notifies the executor that a swap has been accepted. */
  readonly announce: Effect.Effect<void>
  /** Returns at the next call to `announce`, or immediately if an earlier call was missed. */
  readonly announced: Effect.Effect<void>
  /** Wakes all subscribers, and makes later subscriptions return immediately, because the process is shutting down. */
  readonly drain: Effect.Effect<void>
  /** The number of subscribers. */
  readonly waiting: Effect.Effect<number>
  /** The swaps that have subscribers. */
  readonly awaited: Effect.Effect<ReadonlyArray<string>>
}

/** Wakes callers that are waiting for a swap to finish, and the executor when a swap has been accepted. */
export const SwapSignals: Context.Service<SwapSignals, SwapSignals> =
  /* @__PURE__ */ Context.Service<SwapSignals>("@geoswap/service/SwapSignals")

/** Creates signals that work within one process. */
export const make = Effect.sync((): SwapSignals => {
  const waiters = new Map<string, Set<Waiter>>()
  let draining = false
  let pending = false
  let worker: Deferred.Deferred<void> | undefined

  const wake = (swapId: string) => {
    for (const waiter of waiters.get(swapId) ?? []) waiter.wake()
  }
  const join = (swapId: string, waiter: Waiter) => {
    waiters.set(swapId, (waiters.get(swapId) ?? new Set()).add(waiter))
    if (draining) waiter.wake()
  }
  const leave = (swapId: string, waiter: Waiter) => {
    const group = waiters.get(swapId)
    group?.delete(waiter)
    if (group?.size === 0) waiters.delete(swapId)
  }
  return {
    publish: (swapId) => Effect.sync(() => wake(swapId)),
    subscribe: (swapId) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          const ended = Deferred.makeUnsafe<void>()
          const waiter = { ended, wake: () => void Deferred.doneUnsafe(ended, Effect.void) }
          join(swapId, waiter)
          return waiter
        }),
        (waiter) => Effect.sync(() => leave(swapId, waiter))
      ).pipe(Effect.map(({ ended }) => Deferred.await(ended))),
    join,
    leave,
    announce: Effect.sync(() => {
      pending = true
      if (worker !== undefined) Deferred.doneUnsafe(worker, Effect.void)
    }),
    announced: Effect.suspend(() => {
      worker = Deferred.makeUnsafe<void>()
      if (pending) Deferred.doneUnsafe(worker, Effect.void)
      return Effect.andThen(
        Deferred.await(worker),
        Effect.sync(() => {
          pending = false
        })
      )
    }),
    drain: Effect.sync(() => {
      draining = true
      for (const swapId of waiters.keys()) wake(swapId)
    }),
    waiting: Effect.sync(() => [...waiters.values()].reduce((sum, group) => sum + group.size, 0)),
    awaited: Effect.sync(() => [...waiters.keys()])
  }
})

/** A layer that provides signals that work within one process. */
export const layer: Layer.Layer<SwapSignals> = Layer.effect(SwapSignals, make)
