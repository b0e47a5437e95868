/** Who waits for a swap to change, and how they hear of it within this process. */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"

export interface Shape {
  /** A swap has reached its end: everybody who waits for it is woken. */
  readonly publish: (swapId: string) => Effect.Effect<void>
  /** From now until the scope ends: an effect that returns once the swap has ended, or nobody may wait any longer. */
  readonly subscribe: (swapId: string) => Effect.Effect<Effect.Effect<void>, never, Scope.Scope>
  /** There is something to do for whoever executes swaps. */
  readonly announce: Effect.Effect<void>
  /** Returns with the next announcement, or at once where one was missed. */
  readonly announced: Effect.Effect<void>
  /** Wakes everybody, and from now on nobody waits: the process is about to end. */
  readonly drain: Effect.Effect<void>
  /** How many wait. */
  readonly waiting: Effect.Effect<number>
  /** For which swaps somebody waits. */
  readonly awaited: Effect.Effect<ReadonlyArray<string>>
}

/** Wakes who waits for a swap. */
export class SwapSignals extends Context.Service<SwapSignals, Shape>()("@geoswap/service/SwapSignals") {}

/** Within one process. */
export const make = Effect.sync((): Shape => {
  const waiters = new Map<string, Set<Deferred.Deferred<void>>>()
  let draining = false
  let pending = false
  let worker: Deferred.Deferred<void> | undefined

  const wake = (swapId: string) => {
    for (const waiter of waiters.get(swapId) ?? []) Deferred.doneUnsafe(waiter, Effect.void)
  }
  const leave = (swapId: string, waiter: Deferred.Deferred<void>) => {
    const group = waiters.get(swapId)
    group?.delete(waiter)
    if (group?.size === 0) waiters.delete(swapId)
  }
  return {
    publish: (swapId) => Effect.sync(() => wake(swapId)),
    subscribe: (swapId) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          const waiter = Deferred.makeUnsafe<void>()
          if (draining) Deferred.doneUnsafe(waiter, Effect.void)
          waiters.set(swapId, (waiters.get(swapId) ?? new Set()).add(waiter))
          return waiter
        }),
        (waiter) => Effect.sync(() => leave(swapId, waiter))
      ).pipe(Effect.map((waiter) => Deferred.await(waiter))),
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

/** `make` as a layer. */
export const layer: Layer.Layer<SwapSignals> = Layer.effect(SwapSignals, make)
