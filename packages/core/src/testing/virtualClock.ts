/** A clock for tests whose time passes without waiting. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { PromiseClock } from "../programs/promiseClock.js"

/** Options for a virtual clock. */
export interface VirtualClockOptions {
  /** The time at which the clock starts, in Unix milliseconds (default: the current time). */
  readonly start?: number | undefined
  /**
   * `auto` (the default) advances to the next wake-up time as soon as nothing is left to do but wait. With `manual`,
   * time passes only in `advance`.
   */
  readonly mode?: "auto" | "manual" | undefined
  /**
   * How many milliseconds may pass in `auto` mode (default: 24 hours). After that, every wait rejects, so that a program
   * that waits forever fails instead of running until the test's timeout.
   */
  readonly limit?: number | undefined
}

/** A clock whose time passes without waiting. */
export interface VirtualClock extends PromiseClock {
  /** Lets time pass, and wakes everything that waits for a time up to then, in order. */
  readonly advance: (millis: number) => Promise<void>
  /**
   * Returns the same object or function, except that the clock does not advance while one of its promises is pending.
   * Use it for everything that does real I/O, such as a file store or a signer that uses WebCrypto. The clock cannot
   * see that such a call is in progress, and would advance to the call's timeout. The call must not wait for this clock.
   */
  readonly pausedBy: <A extends object>(adapter: A) => A
}

interface Sleeper {
  readonly due: number
  readonly wake: () => void
  readonly fail: (reason: Error) => void
}

const day = 86_400_000

/**
 * How often the scheduler runs without a call to the clock before nothing is left to do. Between two calls to the clock,
 * a swap needs at most 3 turns.
 */
const quietTurns = 10

/**
 * Creates a clock whose time passes without waiting. Pass it to `createClient`, and to the scripted service and signers.
 *
 * @example
 * ```ts
 * const clock = virtualClock()
 * const service = scriptedService({ clock })
 * service.ends("settled", 600_000)
 * const client = createClient({ transport: service.transport, clock })
 * ```
 */
export const virtualClock = (options: VirtualClockOptions = {}): VirtualClock => {
  const { limit = day, mode = "auto", start = Effect.runSync(Clock.currentTimeMillis) } = options
  const sleepers = new Set<Sleeper>()
  const held = new Set<Promise<unknown>>()
  let time = start
  let calls = 0
  let pumping = false

  /** Waits until the program has nothing left to do but wait for this clock. */
  const quiet = async () => {
    for (let turn = 0, before = calls; turn < quietTurns; turn++) {
      // This is the queue that Effect programs run in, including the client's.
      await Effect.runPromise(Effect.yieldNow)
      if (held.size > 0) await Promise.allSettled(held)
      if (calls === before) continue
      before = calls
      turn = -1
    }
  }

  /** The sleeper to wake next. Those with the same time wake in the order in which they started to wait. */
  const earliest = (): Sleeper | undefined =>
    [...sleepers].reduce<Sleeper | undefined>(
      (first, next) => (first && first.due <= next.due ? first : next),
      undefined
    )

  const wake = (sleeper: Sleeper) => {
    sleepers.delete(sleeper)
    time = Math.max(time, sleeper.due)
    sleeper.wake()
  }

  const pump = async () => {
    pumping = true
    for (await quiet(); sleepers.size > 0; await quiet()) {
      const next = earliest()
      if (next === undefined) continue
      if (next.due - start <= limit) wake(next)
      else {
        sleepers.delete(next)
        next.fail(
          new Error(
            `The program is still waiting after ${limit / 1000} s on the virtual clock. To allow more, set limit.`
          )
        )
      }
    }
    pumping = false
  }

  const sleep: PromiseClock["sleep"] = (millis, abortable) =>
    new Promise((resolve, reject) => {
      const signal = abortable?.signal
      calls++
      if (signal?.aborted) return reject(signal.reason as Error)
      const abort = () => {
        calls++
        sleepers.delete(sleeper)
        reject(signal?.reason as Error)
      }
      const done = () => signal?.removeEventListener("abort", abort)
      const sleeper: Sleeper = {
        due: time + Math.max(0, millis),
        wake: () => {
          done()
          resolve()
        },
        fail: (reason) => {
          done()
          reject(reason)
        }
      }
      signal?.addEventListener("abort", abort)
      if (millis === Infinity) return
      sleepers.add(sleeper)
      if (mode === "auto" && !pumping) void pump()
    })

  const advance = async (millis: number) => {
    if (mode === "auto") return sleep(millis)
    const until = time + millis
    for (await quiet(); ; await quiet()) {
      const next = earliest()
      if (next === undefined || next.due > until) break
      wake(next)
    }
    time = until
  }

  const hold = <A>(result: A): A => {
    if (!(result instanceof Promise)) return result
    calls++
    held.add(result)
    const release = () => {
      calls++
      held.delete(result)
    }
    result.then(release, release)
    return result
  }

  const pausedBy = <A extends object>(adapter: A): A =>
    new Proxy(adapter, {
      apply: (target, self, args) => hold<unknown>(Reflect.apply(target as () => unknown, self, args)),
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key)
        return typeof value === "function"
          ? (...args: ReadonlyArray<unknown>) => hold<unknown>(Reflect.apply(value, target, args))
          : value
      }
    })

  return {
    now: () => {
      calls++
      return time
    },
    sleep,
    advance,
    pausedBy
  }
}
