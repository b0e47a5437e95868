import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Metric from "effect/Metric"
import { TestClock } from "effect/testing"
import { venueErrors, venueRequests, venueUp } from "../../src/metrics/series.js"
import { NoPrice, type Price, VenueUnavailable } from "../../src/venue/Venue.js"
import * as VenueBreaker from "../../src/venue/VenueBreaker.js"

const usdc = { chainId: 1, address: "0x1", symbol: "USDC", decimals: 6 }
const weth = { chainId: 2, address: "0x2", symbol: "WETH", decimals: 18 }
const price: Price = { output: 7n }
const down = new VenueUnavailable({ message: "The venue is down.", timeout: false })
const unknown = new NoPrice({ message: "There is no such pair." })

type Answer = Effect.Effect<Price, NoPrice | VenueUnavailable>

/** A scripted venue behind a breaker, and how often it was called. */
const scene = () => {
  const state = { answer: Effect.fail(down) as Answer, asked: 0 }
  const venue = VenueBreaker.make({
    price: () =>
      Effect.suspend(() => {
        state.asked++
        return state.answer
      })
  })
  const ask = venue.price(usdc, weth, 1n)
  const fail = (times: number) => Effect.forEach(Array.from({ length: times }), () => Effect.flip(ask))
  return { ask, askOther: venue.price(weth, usdc, 1n), fail, state }
}

const counted = Effect.gen(function* () {
  const { value } = yield* Metric.value(venueUp({}))
  const errors = (yield* Metric.value(venueErrors({}))).count
  const requests = (yield* Metric.value(venueRequests({}))).count
  return { up: value, errors, requests }
})

/** Each test has its own registry. */
const alone = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.suspend(() => Effect.provideService(effect, Metric.MetricRegistry, new Map()))

describe("VenueBreaker", () => {
  it.effect("calls the venue until it has failed five times in a row", () =>
    Effect.gen(function* () {
      const { ask, fail, state } = scene()
      yield* fail(4)
      state.answer = Effect.succeed(price)
      expect(yield* ask).toEqual(price)
      state.answer = Effect.fail(down)
      yield* fail(5)
      expect(state.asked).toBe(10)
    })
  )

  it.effect("still calls the venue for other pairs", () =>
    Effect.gen(function* () {
      const { ask, askOther, fail, state } = scene()
      yield* fail(5)
      state.answer = Effect.succeed(price)
      expect(yield* askOther).toEqual(price)
      expect(yield* Effect.flip(ask)).toMatchObject({ _tag: "VenueUnavailable" })
      expect(state.asked).toBe(6)
    })
  )

  it.effect("does not open for requests that the venue refuses, because callers choose them", () =>
    Effect.gen(function* () {
      const { ask, fail, state } = scene()
      const absurd = new VenueUnavailable({ message: "Too large.", timeout: false, ofRequest: true })
      yield* fail(4)
      state.answer = Effect.fail(absurd)
      expect(yield* fail(20)).toEqual(Array.from({ length: 20 }, () => absurd))
      state.answer = Effect.succeed(price)
      expect(yield* ask).toEqual(price)
    }).pipe(alone)
  )

  it.effect("opens after five failures in a row: requests fail at once without a call", () =>
    Effect.gen(function* () {
      const { ask, fail, state } = scene()
      yield* fail(5)
      state.answer = Effect.never
      const refused = yield* Effect.flip(ask)
      expect(refused).toMatchObject({ _tag: "VenueUnavailable", timeout: false })
      expect(refused.message).toContain("5 times in a row")
      yield* TestClock.adjust(4_999)
      yield* Effect.flip(ask)
      expect(state.asked).toBe(5)
    })
  )

  it.effect("lets one request probe after the pause, while the others fail at once", () =>
    Effect.gen(function* () {
      const { ask, fail, state } = scene()
      yield* fail(5)
      const answer = yield* Deferred.make<Price>()
      state.answer = Deferred.await(answer)
      yield* TestClock.adjust(5_000)
      const trial = yield* Effect.forkChild(ask, { startImmediately: true })
      yield* fail(3)
      expect(state.asked).toBe(6)
      yield* Deferred.succeed(answer, price)
      expect(yield* Fiber.join(trial)).toEqual(price)
      expect(yield* Effect.all([ask, ask])).toEqual([price, price])
      expect(state.asked).toBe(8)
    })
  )

  it.effect("opens again after a failed probe, and needs five failures again after a successful one", () =>
    Effect.gen(function* () {
      const { ask, fail, state } = scene()
      yield* fail(5)
      yield* TestClock.adjust(5_000)
      yield* fail(2)
      expect(state.asked).toBe(6)
      yield* TestClock.adjust(5_000)
      state.answer = Effect.succeed(price)
      yield* ask
      state.answer = Effect.fail(down)
      yield* fail(5)
      expect(state.asked).toBe(12)
      yield* fail(1)
      expect(state.asked).toBe(12)
    })
  )

  it.effect("does not count a missing price as a failure", () =>
    Effect.gen(function* () {
      const { fail, state } = scene()
      yield* fail(4)
      state.answer = Effect.fail(unknown)
      expect(yield* fail(6)).toEqual(Array.from({ length: 6 }, () => unknown))
      state.answer = Effect.fail(down)
      yield* fail(4)
      expect(state.asked).toBe(14)
    })
  )

  it.effect("lets the next request probe if the probe was interrupted", () =>
    Effect.gen(function* () {
      const { ask, fail, state } = scene()
      yield* fail(5)
      yield* TestClock.adjust(5_000)
      state.answer = Effect.never
      const trial = yield* Effect.forkChild(ask, { startImmediately: true })
      yield* Fiber.interrupt(trial)
      state.answer = Effect.succeed(price)
      expect(yield* ask).toEqual(price)
      expect(state.asked).toBe(7)
    })
  )

  it.effect("reports calls, failures and its state as metrics", () =>
    alone(
      Effect.gen(function* () {
        const { ask, fail, state } = scene()
        yield* fail(4)
        state.answer = Effect.fail(unknown)
        yield* fail(1)
        expect(yield* counted).toEqual({ up: 1, errors: 4, requests: 5 })
        state.answer = Effect.fail(down)
        yield* fail(7)
        expect(yield* counted).toEqual({ up: 0, errors: 9, requests: 10 })
        state.answer = Effect.succeed(price)
        yield* TestClock.adjust(5_000)
        yield* ask
        expect(yield* counted).toEqual({ up: 1, errors: 9, requests: 11 })
      })
    )
  )
})
