/**
 * Decides when pending transactions are observed again. All transactions of a chain are observed at the same time, so
 * that they share requests.
 */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

export interface Pace {
  /** Records a final slot. The slot time is estimated from the recorded slots. */
  readonly saw: (slot: bigint) => Effect.Effect<void>
  /** Waits for the next observation, but not longer than `atMost` milliseconds. */
  readonly next: (atMost: number) => Effect.Effect<void>
}

/** The largest interval between observations, as a multiple of the configured interval. */
const slowest = 15
/** How many samples are used to estimate the slot time. The shortest time is used. */
const samples = 4

export const make = (pollMillis: number): Pace => {
  let last: { readonly slot: bigint; readonly at: number } | undefined
  let slotMillis: ReadonlyArray<number> = []
  let tick: Deferred.Deferred<void> | undefined

  /** The slot time, but at least the configured interval. */
  const interval = () =>
    slotMillis.length < samples ? pollMillis : Math.max(pollMillis, Math.min(...slotMillis, slowest * pollMillis))

  return {
    saw: (slot) =>
      Effect.map(Clock.currentTimeMillis, (at) => {
        const slots = last === undefined ? 1 : Number(slot - last.slot)
        if (slots <= 0) return
        if (last !== undefined) slotMillis = [...slotMillis, (at - last.at) / slots].slice(-samples)
        last = { slot, at }
      }),
    next: (atMost) =>
      Effect.suspend(() => {
        if (tick !== undefined) return Deferred.await(tick)
        const own = Deferred.makeUnsafe<void>()
        tick = own
        const end = Effect.suspend(() => {
          tick = undefined
          return Deferred.succeed(own, undefined)
        })
        return Effect.andThen(Effect.forkDetach(Effect.andThen(Effect.sleep(interval()), end)), Deferred.await(own))
      }).pipe(Effect.timeoutOption(atMost), Effect.asVoid)
  }
}
