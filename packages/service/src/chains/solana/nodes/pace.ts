/**
 * Decides when pending transactions are observed again. All transactions of a chain are observed at the same time, so
 * that they share requests.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as SingleFlight from "../../../concurrency/singleFlight.js"

/** The largest interval between observations, as a multiple of the configured interval. */
const slowest = 15
/** How many samples are used to estimate the slot time. The shortest time is used. */
const samples = 4

export const make = (pollMillis: number) => {
  let last: { readonly slot: bigint; readonly at: number } | undefined
  let slotMillis: ReadonlyArray<number> = []
  const share = SingleFlight.make<void, never>()

  /** The slot time, but at least the configured interval. */
  const interval = () =>
    slotMillis.length < samples ? pollMillis : Math.max(pollMillis, Math.min(...slotMillis, slowest * pollMillis))

  return {
    /** Records a final slot. The slot time is estimated from the recorded slots. */
    saw: (slot: bigint) =>
      Effect.map(Clock.currentTimeMillis, (at) => {
        const slots = last === undefined ? 1 : Number(slot - last.slot)
        if (slots <= 0) return
        if (last !== undefined) slotMillis = [...slotMillis, (at - last.at) / slots].slice(-samples)
        last = { slot, at }
      }),
    /** Waits for the next observation, but not longer than `atMost` milliseconds. */
    next: (atMost: number) =>
      share(
        "tick",
        Effect.suspend(() => Effect.sleep(interval()))
      ).pipe(Effect.timeoutOption(atMost), Effect.asVoid)
  }
}

export type Pace = ReturnType<typeof make>
