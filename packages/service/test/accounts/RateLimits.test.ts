import { describe, expect, it } from "@effect/vitest"
import { type SwapError, Transport } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import * as RateLimits from "../../src/accounts/RateLimits.js"
import { Refusal, refuse } from "../../src/domain/Refusal.js"

const bucket = { perSecond: 10, burst: 20 }
const limits: RateLimits.AccountLimits = {
  quote: bucket,
  indicative: bucket,
  delegation: bucket,
  build: bucket,
  submit: bucket,
  changeDelegation: bucket,
  status: { perSecond: 20, burst: 40 },
  chains: { perSecond: 0.4, burst: 3 },
  heldPerAccount: 3
}
const operations = [
  "quote",
  "indicative",
  "delegation",
  "build",
  "submit",
  "changeDelegation",
  "status",
  "chains"
] as const

const makeLimits = (changes: Partial<RateLimits.AccountLimits> = {}) =>
  Effect.provide(RateLimits.RateLimits, RateLimits.layer({ ...limits, ...changes }))

/** How many of this many concurrent calls pass. */
const passing = (
  { take }: RateLimits.RateLimits,
  count: number,
  account = "a",
  operation: RateLimits.Operation = "quote"
) =>
  Effect.map(
    Effect.forEach(Array.from({ length: count }), () => Effect.exit(take(account, operation)), {
      concurrency: "unbounded"
    }),
    (exits) => exits.filter(Exit.isSuccess).length
  )

describe("RateLimits.take", () => {
  it.effect("lets a burst pass and refuses the calls after it", () =>
    Effect.gen(function* () {
      const { take } = yield* makeLimits()
      for (let remaining = 19; remaining >= 0; remaining--) {
        expect(yield* take("a", "quote")).toMatchObject({ limit: 20, remaining })
      }
      const refused = yield* Effect.flip(take("a", "quote"))
      expect(refused).toBeInstanceOf(Refusal)
      expect(refused).toMatchObject({
        code: "RATE_LIMITED",
        status: 429,
        retryAfter: 1,
        details: { name: "quote", limit: 20, remaining: 0, resetSeconds: 1, policy: '"quote";q=20;w=2' }
      })
      expect(refused.message).toContain("Wait 1 s")
    })
  )

  it.effect("limits indicative quotes separately from quotes, with their own message", () =>
    Effect.gen(function* () {
      const rateLimits = yield* makeLimits({ indicative: { perSecond: 0.1, burst: 2 } })
      expect(yield* passing(rateLimits, 100, "a", "quote")).toBe(20)
      expect(yield* passing(rateLimits, 100, "a", "indicative")).toBe(2)
      const refused = yield* Effect.flip(rateLimits.take("a", "indicative"))
      expect(refused).toMatchObject({ retryAfter: 10, details: { name: "indicative", limit: 2 } })
      expect(refused.message).toBe(
        "Too many indicative quote calls with this account's API keys. Wait 10 s and try again."
      )
    })
  )

  it.effect("lets exactly the burst pass if a thousand calls arrive at once", () =>
    Effect.gen(function* () {
      const rateLimits = yield* makeLimits()
      expect(yield* passing(rateLimits, 1_000)).toBe(20)
      yield* TestClock.adjust("500 millis")
      expect(yield* passing(rateLimits, 1_000)).toBe(5)
    })
  )

  it.effect("refills one call per interval, up to the burst", () =>
    Effect.gen(function* () {
      const rateLimits = yield* makeLimits()
      expect(yield* passing(rateLimits, 21)).toBe(20)
      yield* TestClock.adjust("99 millis")
      expect(yield* passing(rateLimits, 1)).toBe(0)
      yield* TestClock.adjust("1 millis")
      expect(yield* passing(rateLimits, 2)).toBe(1)
      yield* TestClock.adjust("1 second")
      expect(yield* passing(rateLimits, 100)).toBe(10)
      // Before and after full buckets are removed.
      for (const idle of ["30 seconds", "1 hour"] as const) {
        yield* TestClock.adjust(idle)
        expect(yield* passing(rateLimits, 100)).toBe(20)
      }
    })
  )

  it.effect("does not count a refused call", () =>
    Effect.gen(function* () {
      const rateLimits = yield* makeLimits()
      expect(yield* passing(rateLimits, 1_000)).toBe(20)
      yield* TestClock.adjust("2 seconds")
      expect(yield* passing(rateLimits, 1_000)).toBe(20)
    })
  )

  it.effect("limits a rate below one call per second, and reports when to retry", () =>
    Effect.gen(function* () {
      const rateLimits = yield* makeLimits()
      const refusedAfter = Effect.map(Effect.flip(rateLimits.take("a", "chains")), ({ retryAfter }) => retryAfter)
      expect(yield* passing(rateLimits, 4, "a", "chains")).toBe(3)
      expect(yield* refusedAfter).toBe(3)
      yield* TestClock.adjust("1400 millis")
      expect(yield* refusedAfter).toBe(2)
      yield* TestClock.adjust("100 millis")
      expect(yield* refusedAfter).toBe(1)
      yield* TestClock.adjust("999 millis")
      expect(yield* refusedAfter).toBe(1)
      yield* TestClock.adjust("1 millis")
      expect(yield* passing(rateLimits, 2, "a", "chains")).toBe(1)
    })
  )

  it.effect("lets a call pass after the reported wait, at any rate", () =>
    Effect.gen(function* () {
      for (const perSecond of [0.001, 0.07, 0.3, 1, 3, 7.7, 1_000, 1e12]) {
        const { take } = yield* makeLimits({ submit: { perSecond, burst: 2 } })
        yield* take("a", "submit")
        yield* take("a", "submit")
        for (let round = 0; round < 5; round++) {
          const wait = yield* Effect.match(take("a", "submit"), {
            onFailure: ({ retryAfter }) => retryAfter ?? 0,
            onSuccess: () => 0
          })
          expect(Number.isInteger(wait)).toBe(true)
          yield* TestClock.adjust(`${wait} seconds`)
          if (wait > 0) yield* take("a", "submit")
        }
      }
    })
  )

  it.effect("keeps its rate over a long time", () =>
    Effect.gen(function* () {
      const rateLimits = yield* makeLimits({ quote: { perSecond: 3, burst: 5 } })
      let passed = 0
      for (let step = 0; step < 1_000; step++) {
        passed += yield* passing(rateLimits, 3)
        yield* TestClock.adjust("100 millis")
      }
      expect(passed).toBeGreaterThanOrEqual(303)
      expect(passed).toBeLessThanOrEqual(305)
    })
  )

  it.effect("counts accounts and operations separately", () =>
    Effect.gen(function* () {
      const rateLimits = yield* makeLimits()
      expect(yield* passing(rateLimits, 50)).toBe(20)
      for (const account of ["b", "", "a:quote", "__proto__"]) {
        expect(yield* passing(rateLimits, 50, account)).toBe(20)
      }
      const passed = yield* Effect.forEach(operations, (operation) => passing(rateLimits, 50, "a", operation))
      expect(passed).toEqual([0, 20, 20, 20, 20, 20, 40, 3])
    })
  )

  it.effect("does not depend on the wall clock", () =>
    Effect.gen(function* () {
      const rateLimits = yield* makeLimits()
      const clock = yield* Clock.Clock
      const setWrong: Clock.Clock = {
        currentTimeMillisUnsafe: () => Date.UTC(2099, 0),
        currentTimeMillis: Effect.succeed(Date.UTC(2099, 0)),
        currentTimeNanosUnsafe: () => BigInt(Date.UTC(2099, 0)) * 1_000_000n,
        currentTimeNanos: Effect.succeed(BigInt(Date.UTC(2099, 0)) * 1_000_000n),
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: clock.monotonicTimeNanos,
        sleep: (duration) => clock.sleep(duration)
      }
      expect(yield* passing(rateLimits, 50)).toBe(20)
      expect(yield* Effect.provideService(passing(rateLimits, 50), Clock.Clock, setWrong)).toBe(0)
    })
  )

  it.live("refills in real time", () =>
    Effect.gen(function* () {
      const { take } = yield* makeLimits({ quote: { perSecond: 20, burst: 1 } })
      yield* take("a", "quote")
      yield* Effect.sleep("60 millis")
      yield* take("a", "quote")
    })
  )

  it.effect("removes accounts whose buckets are full again, and no others", () =>
    Effect.gen(function* () {
      const rateLimits = yield* makeLimits({ build: { perSecond: 0.01, burst: 2 } })
      for (let account = 0; account < 500; account++) {
        for (const operation of ["quote", "status", "build"] as const) yield* rateLimits.take(`${account}`, operation)
      }
      expect(yield* passing(rateLimits, 5, "slow", "build")).toBe(2)
      expect(yield* rateLimits.tracked).toBe(1_501)
      yield* TestClock.adjust("101 seconds")
      yield* rateLimits.take("a", "quote")
      expect(yield* rateLimits.tracked).toBe(2)
      expect(yield* passing(rateLimits, 5, "slow", "build")).toBe(1)
    })
  )
})

describe("RateLimits.hold", () => {
  it.effect("counts held requests per account until their scopes close", () =>
    Effect.gen(function* () {
      const { hold, tracked } = yield* makeLimits()
      const scopes = yield* Effect.forEach([1, 2, 3], () => Scope.make())
      for (const scope of scopes) yield* Scope.provide(hold("a"), scope)
      const refused = yield* Effect.flip(Effect.scoped(hold("a")))
      expect(refused).toMatchObject({ code: "RATE_LIMITED", retryAfter: 1, details: { limit: 3, remaining: 0 } })
      expect(refused.message).toContain("already has 3 status requests waiting for a response")
      yield* Effect.scoped(hold("b"))

      const [first, ...rest] = scopes
      if (first === undefined) return expect.fail("no scope")
      yield* Scope.close(first, Exit.void)
      yield* Effect.scoped(hold("a"))
      // It was released only once.
      const again = yield* Scope.make()
      yield* Scope.provide(hold("a"), again)
      expect(Exit.isFailure(yield* Effect.exit(Effect.scoped(hold("a"))))).toBe(true)

      for (const scope of [...rest, again]) yield* Scope.close(scope, Exit.void)
      expect(yield* tracked).toBe(0)
    })
  )

  it.effect("releases a request that is interrupted, fails or dies", () =>
    Effect.gen(function* () {
      const { hold, tracked } = yield* makeLimits()
      for (let round = 0; round < 5; round++) {
        const held = Effect.scoped(Effect.andThen(hold("a"), Effect.never))
        const fibers = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(held, { startImmediately: true }))
        expect(Exit.isFailure(yield* Effect.exit(Effect.scoped(hold("a"))))).toBe(true)
        yield* Fiber.interruptAll(fibers)
        yield* Effect.exit(Effect.scoped(Effect.andThen(hold("a"), Effect.fail("no"))))
        yield* Effect.exit(Effect.scoped(Effect.andThen(hold("a"), Effect.die("no"))))
      }
      expect(yield* tracked).toBe(0)
    })
  )

  it.effect("allows exactly the limit of held requests if a thousand arrive at once", () =>
    Effect.gen(function* () {
      const { hold } = yield* makeLimits({ heldPerAccount: 100 })
      const exits = yield* Effect.forEach(Array.from({ length: 1_000 }), () => Effect.exit(hold("a")), {
        concurrency: "unbounded"
      })
      expect(exits.filter(Exit.isSuccess)).toHaveLength(100)
    })
  )
})

describe("the limits of visitors without a key", () => {
  it.effect("have additional operations and their own messages", () =>
    Effect.gen(function* () {
      const { heldPerAccount, ...policies } = limits
      const one = { perSecond: 0.1, burst: 1 }
      const many = { perSecond: 100, burst: 100 }
      const { hold, take } = RateLimits.forClients({
        ...policies,
        balances: one,
        names: one,
        heldPerClient: heldPerAccount,
        total: { ...policies, balances: many, names: many }
      })
      expect(yield* take("192.0.2.1", "balances")).toMatchObject({ name: "balances", remaining: 0 })
      const refused = yield* Effect.flip(take("192.0.2.1", "balances"))
      expect(refused.message).toBe("Too many balances calls from your network address. Wait 10 s and try again.")
      expect(yield* take("192.0.2.2", "balances")).toMatchObject({ remaining: 0 })
      expect(yield* take("192.0.2.1", "quote")).toMatchObject({ name: "quote" })
      for (let count = 0; count < heldPerAccount; count++) yield* hold("192.0.2.1")
      const full = yield* Effect.flip(hold("192.0.2.1"))
      expect(full.message).toMatch(/^Your network address already has 3 status requests waiting for a response/)
      yield* hold("192.0.2.2")
    })
  )
})

describe("the limit of all visitors together", () => {
  const { heldPerAccount, ...policies } = limits
  const few = { perSecond: 0.1, burst: 3 }
  const visitors = {
    ...policies,
    quote: { perSecond: 1, burst: 2 },
    balances: bucket,
    names: bucket,
    heldPerClient: heldPerAccount,
    total: { ...policies, quote: few, balances: few, names: few }
  }

  it.effect("refuses calls from any number of addresses, and does not limit other operations", () =>
    Effect.gen(function* () {
      const { take } = RateLimits.forClients(visitors)
      for (const address of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) {
        expect(yield* take(address, "quote")).toMatchObject({ name: "quote", limit: 2, remaining: 1 })
      }
      const refused = yield* Effect.flip(take("192.0.2.4", "quote"))
      expect(refused).toMatchObject({
        code: "RATE_LIMITED",
        retryAfter: 10,
        details: { name: "quote-total", limit: 3 }
      })
      expect(refused.message).toBe(
        "Too many quote calls from all visitors to this page combined. Wait 10 s and try again."
      )
      yield* take("192.0.2.4", "build")
      yield* TestClock.adjust("10 seconds")
      yield* take("192.0.2.4", "quote")
    })
  )

  it.effect("does not count calls that a visitor's own limit refuses", () =>
    Effect.gen(function* () {
      const { take } = RateLimits.forClients(visitors)
      for (let count = 0; count < 100; count++) yield* Effect.exit(take("192.0.2.1", "quote"))
      yield* take("192.0.2.2", "quote")
    })
  )
})

describe("the limit of failed authentications", () => {
  it.effect("refuses an address after its burst, and no other address", () =>
    Effect.gen(function* () {
      const failed = RateLimits.forFailures({ perSecond: 1, burst: 3 })
      for (let count = 0; count < 3; count++) yield* failed("192.0.2.1")
      const refused = yield* Effect.flip(failed("192.0.2.1"))
      expect(refused).toMatchObject({ code: "RATE_LIMITED", retryAfter: 1, details: { name: "failed-auth", limit: 3 } })
      expect(refused.message).toBe(
        "Too many requests without a valid API key from your network address. Wait 1 s and try again."
      )
      yield* failed("192.0.2.2")
      yield* TestClock.adjust("1 second")
      yield* failed("192.0.2.1")
    })
  )
})

describe("tracked callers", () => {
  it.effect("are bounded, no matter how many addresses an attacker has", () =>
    Effect.gen(function* () {
      const { heldPerAccount, ...policies } = limits
      const once = { perSecond: 0.001, burst: 1 }
      const { take, tracked } = RateLimits.forClients({
        ...policies,
        quote: once,
        balances: once,
        names: once,
        heldPerClient: heldPerAccount,
        total: { ...policies, quote: { perSecond: 1, burst: 1_000_000 }, balances: once, names: once }
      })
      for (let number = 0; number < 100_500; number++) yield* take(`address ${number}`, "quote")
      expect(yield* tracked).toBe(100_001)
      // The newest callers are tracked.
      expect(Exit.isFailure(yield* Effect.exit(take("address 100499", "quote")))).toBe(true)
    })
  )
})

describe("a shared limit", () => {
  /** Shares as another replica's demand makes them. */
  const sharing = (part: { now: number }) =>
    RateLimits.make(
      { ...limits, quote: { perSecond: 12, burst: 24 } },
      { count: () => undefined, partOf: () => part.now }
    )

  it.effect("lets the share of a replica pass, in bursts and over time", () =>
    Effect.gen(function* () {
      const rateLimits = sharing({ now: 1 / 3 })
      expect(yield* passing(rateLimits, 100)).toBe(8)
      yield* TestClock.adjust("1 second")
      expect(yield* passing(rateLimits, 100)).toBe(4)
    })
  )

  it.effect("uses its unused part when its share grows, and shrinks with its share", () =>
    Effect.gen(function* () {
      const part = { now: 1 / 3 }
      const rateLimits = sharing(part)
      expect(yield* passing(rateLimits, 100)).toBe(8)
      part.now = 1
      expect(yield* passing(rateLimits, 100)).toBe(16)
      part.now = 1 / 3
      yield* TestClock.adjust("1 second")
      expect(yield* passing(rateLimits, 100)).toBe(0)
    })
  )

  it.effect("lets one call pass on each of many replicas, and reports how long to wait for the next", () =>
    Effect.gen(function* () {
      const rateLimits = sharing({ now: 1 / 100 })
      expect(yield* passing(rateLimits, 5)).toBe(1)
      const { retryAfter = 0 } = yield* Effect.flip(rateLimits.take("a", "quote"))
      expect(retryAfter).toBe(9)
      yield* TestClock.adjust(`${retryAfter} seconds`)
      expect(yield* passing(rateLimits, 5)).toBe(1)
    })
  )
})

describe("RateLimits.headersOf", () => {
  it.effect("reports the remaining allowance as in the draft", () =>
    Effect.gen(function* () {
      const { take } = yield* makeLimits()
      expect(RateLimits.headersOf(yield* take("a", "quote"))).toEqual({
        "ratelimit-policy": '"quote";q=20;w=2',
        ratelimit: '"quote";r=19;t=1'
      })
      for (let count = 0; count < 14; count++) yield* take("a", "quote")
      expect(RateLimits.headersOf(yield* take("a", "quote"))["ratelimit"]).toBe('"quote";r=4;t=2')
      // Nothing left: the time is that of the next call, not of the whole burst.
      for (let count = 0; count < 3; count++) yield* take("a", "quote")
      expect(RateLimits.headersOf(yield* take("a", "quote"))["ratelimit"]).toBe('"quote";r=0;t=1')
      expect(RateLimits.headersOf(yield* take("a", "chains"))).toEqual({
        "ratelimit-policy": '"chains";q=3;w=8',
        ratelimit: '"chains";r=2;t=3'
      })
    })
  )

  it.effect("reports when to retry for a refusal", () =>
    Effect.gen(function* () {
      const { hold, take } = yield* makeLimits({ heldPerAccount: 1 })
      for (let count = 0; count < 3; count++) yield* take("a", "chains")
      expect(RateLimits.headersOf(yield* Effect.flip(take("a", "chains")))).toEqual({
        "retry-after": "3",
        "ratelimit-policy": '"chains";q=3;w=8',
        ratelimit: '"chains";r=0;t=3'
      })
      yield* hold("a")
      expect(RateLimits.headersOf(yield* Effect.flip(hold("a")))).toEqual({
        "retry-after": "1",
        "ratelimit-policy": '"held";q=1;qu="concurrent-requests"',
        ratelimit: '"held";r=0;t=1'
      })
      expect(RateLimits.headersOf(refuse("UNAVAILABLE", "m", { retryAfter: 7 }))).toEqual({ "retry-after": "7" })
      expect(RateLimits.headersOf(refuse("VALIDATION", "m", { details: { field: "amount" } }))).toEqual({})
    })
  )

  it.effect("is understood by the client, with and without `Retry-After`", () =>
    Effect.gen(function* () {
      const { take } = yield* makeLimits({ chains: { perSecond: 0.1, burst: 1 } })
      yield* take("a", "chains")
      const headers = RateLimits.headersOf(yield* Effect.flip(take("a", "chains")))
      const { "retry-after": after, ...others } = headers
      expect(after).toBe("10")
      for (const sent of [headers, others]) {
        const { chains } = Transport.make(() => Effect.succeed({ status: 429, headers: sent, body: "{}" }))
        const error: SwapError.SwapError = yield* Effect.flip(chains)
        expect(error).toMatchObject({ _tag: "RateLimited", retryAfter: 10_000 })
      }
    })
  )
})
