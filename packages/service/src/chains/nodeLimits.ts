/**
 * The limits of one node. Its calls wait in order for the node's budget, and while the node refuses calls. A node that
 * refuses calls, or is much slower than the others, is not the first choice.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Semaphore from "effect/Semaphore"
import * as CountRpc from "../metrics/countRpc.js"
import { rpcWaits, type RpcWait, rpcWaitSeconds } from "../metrics/series.js"
import type { Failure } from "./nodeFailure.js"

/** The limits of the calls to each node of a chain. */
export interface Limits {
  readonly timeoutMillis: number
  /** The maximum number of calls per second (default: any number). */
  readonly requestsPerSecond?: number
  /** The maximum number of calls at the same time. */
  readonly maxConcurrent: number
}

export interface Access {
  /** Sends a request as soon as the limits allow it. Fails if that takes longer than the timeout. */
  readonly call: <A>(method: string, request: Effect.Effect<A, Failure>) => Effect.Effect<A, Failure>
  /** Whether the node refuses calls at a time in Unix milliseconds. */
  readonly isAside: (now: number) => boolean
  /** How long calls have taken recently, in milliseconds. Undefined if too few calls were made. */
  readonly latency: () => number | undefined
  /** Avoids the node until a time in Unix milliseconds, because it is slow. Its latency is measured again. */
  readonly avoidUntil: (time: number) => void
  readonly isAvoided: (now: number) => boolean
}

/** How long a node that does not say when it may be called again is set aside: longer after each refusal in a row. */
const aside = { first: 1_000, longest: 60_000 }
/** The largest part by which that time is extended, so that not all servers return at the same time. */
const jitter = 0.2
/** How many calls are needed to know the latency, and the weight of the latest one. */
const leastSamples = 5
const weight = 0.2

/** Creates the access to a node. */
export const make = (
  chainId: number,
  host: string,
  { maxConcurrent, requestsPerSecond, timeoutMillis }: Limits
): Access => {
  const counted = CountRpc.make(chainId, host)
  const permits = Semaphore.makeUnsafe(maxConcurrent)
  /** When the last `requestsPerSecond` calls were sent, or will be. The next call replaces the oldest one. */
  const sentAt = Array.from({ length: requestsPerSecond ?? 0 }, () => -Infinity)
  let oldest = 0
  let asideUntil = 0
  let refusals = 0
  let running = 0
  let avoidedUntil = 0
  let latency = { millis: 0, samples: 0 }

  const overdue = (method: string, why: string): Failure => ({
    fault: "limited",
    message: `was not called for ${method}, because ${why}`
  })

  const countWait = (reason: RpcWait, millis: number) =>
    Effect.withFiber(({ context }) => {
      const labels = { chain: String(chainId), host, reason }
      rpcWaits(labels).updateUnsafe(1, context)
      rpcWaitSeconds(labels).updateUnsafe(millis / 1_000, context)
      return Effect.void
    })

  /** Waits until the node may be called again. */
  const untilAllowed = (method: string): Effect.Effect<void, Failure> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const millis = asideUntil - now
      if (millis <= 0) return Effect.void
      if (millis > timeoutMillis)
        return Effect.fail(overdue(method, `it refuses calls for ${Math.ceil(millis / 1_000)} s`))
      return Effect.sleep(millis).pipe(
        Effect.andThen(countWait("aside", millis)),
        Effect.andThen(Effect.suspend(() => untilAllowed(method)))
      )
    })

  /** Waits until fewer than `requestsPerSecond` calls were sent in the last second. */
  const takeBudget = (method: string): Effect.Effect<void, Failure> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const at = Math.max(now, (sentAt[oldest] ?? now) + 1_000)
      const millis = at - now
      if (millis > timeoutMillis)
        return Effect.fail(overdue(method, `too many calls wait for its budget of ${requestsPerSecond} per second`))
      sentAt[oldest] = at
      oldest = (oldest + 1) % sentAt.length
      return millis <= 0 ? Effect.void : Effect.andThen(Effect.sleep(millis), countWait("budget", millis))
    })

  const setAside = Effect.fnUntraced(function* ({ retryAfterMillis }: Failure) {
    const now = yield* Clock.currentTimeMillis
    // The refusals of concurrent calls are one refusal.
    const isFirst = now >= asideUntil
    if (!isFirst && retryAfterMillis === undefined) return
    if (isFirst) refusals += 1
    const millis = retryAfterMillis ?? aside.first * 2 ** Math.min(refusals - 1, 6)
    const extended = Math.max(millis, aside.first) * (1 + jitter * (yield* Random.next))
    asideUntil = Math.max(asideUntil, Math.ceil(now + Math.min(extended, aside.longest)))
  })

  const measure = (millis: number) => {
    const { millis: before, samples } = latency
    latency = { millis: samples === 0 ? millis : before + weight * (millis - before), samples: samples + 1 }
  }

  const send = <A>(method: string, request: Effect.Effect<A, Failure>): Effect.Effect<A, Failure> =>
    Effect.flatMap(Clock.currentTimeMillis, (start) =>
      Effect.matchEffect(
        Effect.onInterrupt(
          counted(method, request, ({ fault }) => fault),
          () =>
            Effect.map(Clock.currentTimeMillis, (end) => {
              // The caller did not wait any longer, so the call takes at least this long.
              if (end - start > latency.millis) measure(end - start)
            })
        ),
        {
          onSuccess: (value) =>
            Effect.map(Clock.currentTimeMillis, (end) => {
              refusals = 0
              measure(end - start)
              return value
            }),
          onFailure: (failure) => {
            if (failure.fault === "timeout") measure(timeoutMillis)
            const isAside = failure.fault === "limited" || failure.retryAfterMillis !== undefined
            return Effect.andThen(isAside ? setAside(failure) : Effect.void, Effect.fail(failure))
          }
        }
      )
    )

  /** Runs at most `maxConcurrent` calls at the same time. The others wait in order. */
  const inTurn = <A>(method: string, call: Effect.Effect<A, Failure>): Effect.Effect<A, Failure> => {
    const counting = Effect.ensuring(
      Effect.suspend(() => {
        running += 1
        return call
      }),
      Effect.sync(() => void (running -= 1))
    )
    return Effect.suspend(() => {
      if (running < maxConcurrent) return permits.withPermit(counting)
      let isWaiting = true
      return Effect.flatMap(Clock.currentTimeMillis, (start) => {
        const started = Effect.flatMap(Clock.currentTimeMillis, (now) => {
          isWaiting = false
          return Effect.andThen(countWait("concurrency", now - start), counting)
        })
        const late = Effect.flatMap(Effect.sleep(timeoutMillis), () =>
          isWaiting ? Effect.fail(overdue(method, `${maxConcurrent} other calls are waiting for it`)) : Effect.never
        )
        return Effect.raceFirst(permits.withPermit(started), late)
      })
    })
  }

  return {
    call: (method, request) => {
      const sent = inTurn(method, send(method, request))
      const budgeted = requestsPerSecond === undefined ? sent : Effect.andThen(takeBudget(method), sent)
      return Effect.suspend(() => (asideUntil === 0 ? budgeted : Effect.andThen(untilAllowed(method), budgeted)))
    },
    isAside: (now) => asideUntil > now,
    latency: () => (latency.samples < leastSamples ? undefined : latency.millis),
    avoidUntil: (time) => {
      avoidedUntil = time
      latency = { millis: 0, samples: 0 }
    },
    isAvoided: (now) => avoidedUntil > now
  }
}
