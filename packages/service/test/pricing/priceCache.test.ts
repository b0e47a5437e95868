import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Metric from "effect/Metric"
import * as TestClock from "effect/testing/TestClock"
import { indicativeQuotes } from "../../src/metrics/series.js"
import * as PriceCache from "../../src/pricing/priceCache.js"

/** The numbers of hits and misses. */
const counted = Effect.map(
  Effect.all([Metric.value(indicativeQuotes({ cache: "hit" })), Metric.value(indicativeQuotes({ cache: "miss" }))]),
  ([hit, miss]) => ({ hit: hit.count, miss: miss.count })
)

/** Each test has its own registry. */
const alone = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.suspend(() => Effect.provideService(effect, Metric.MetricRegistry, new Map()))

/** A cache whose values are the number of computations so far. */
const counting = Effect.map(Clock.Clock, (clock) => {
  const cache = PriceCache.make<number, string>(clock)
  const state = { computed: 0, fails: false }
  const get = (key: string) =>
    cache(
      key,
      Effect.suspend(() => {
        state.computed++
        return state.fails ? Effect.fail("no price") : Effect.succeed(state.computed)
      })
    )
  return { get, state }
})

describe("the cache of prices", () => {
  it.effect("computes a price once per key for three seconds, and counts hits and misses", () =>
    alone(
      Effect.gen(function* () {
        const { get } = yield* counting
        expect(yield* get("a")).toBe(1)
        yield* TestClock.adjust("2999 millis")
        expect(yield* get("a")).toBe(1)
        expect(yield* get("b")).toBe(2)
        expect(yield* counted).toEqual({ hit: 1, miss: 2 })
        yield* TestClock.adjust("1 millis")
        expect(yield* get("a")).toBe(3)
        expect(yield* get("b")).toBe(2)
        expect(yield* counted).toEqual({ hit: 2, miss: 3 })
      })
    )
  )

  it.effect("does not cache failures", () =>
    alone(
      Effect.gen(function* () {
        const { get, state } = yield* counting
        state.fails = true
        expect(yield* Effect.flip(get("a"))).toBe("no price")
        expect(yield* Effect.flip(get("a"))).toBe("no price")
        state.fails = false
        expect(yield* get("a")).toBe(3)
        expect(yield* counted).toEqual({ hit: 0, miss: 3 })
      })
    )
  )

  it.effect("shares one computation among concurrent calls, even if the first caller is interrupted", () =>
    alone(
      Effect.gen(function* () {
        const go = yield* Deferred.make<number>()
        let started = 0
        const cache = PriceCache.make<number, never>(yield* Clock.Clock)
        const compute = Effect.andThen(
          Effect.sync(() => void started++),
          Deferred.await(go)
        )
        const [first, ...others] = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(cache("a", compute)))
        yield* Effect.andThen(Effect.yieldNow, Effect.yieldNow)
        if (first !== undefined) yield* Fiber.interrupt(first)
        yield* Deferred.succeed(go, 7)
        expect(yield* Effect.forEach(others, Fiber.join)).toEqual([7, 7])
        expect(yield* cache("a", compute)).toBe(7)
        expect(started).toBe(1)
        expect(yield* counted).toEqual({ hit: 3, miss: 1 })
      })
    )
  )

  it.effect("keeps at most 10,000 prices, and drops the oldest", () =>
    alone(
      Effect.gen(function* () {
        const { get, state } = yield* counting
        for (let key = 0; key <= 10_000; key++) yield* get(`${key}`)
        yield* get("1")
        expect(state.computed).toBe(10_001)
        yield* get("0")
        expect(state.computed).toBe(10_002)
      })
    )
  )
})
