import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { ChainUnavailable } from "../../src/chains/ChainError.js"
import * as Failover from "../../src/chains/failover.js"
import * as NodeAccess from "../../src/chains/nodeLimits.js"
import type { Failure } from "../../src/chains/nodeFailure.js"

const timeoutMillis = 10_000
const limited: Failure = { fault: "limited", message: "responded with HTTP 429" }

/** A node with a script: how long its calls take, and how they fail. Records when it receives calls. */
const scripted = (host: string, limits: Partial<NodeAccess.Limits> = {}) => {
  const access = NodeAccess.make(1, host, { timeoutMillis, maxConcurrent: 256, ...limits })
  const times: Array<number> = []
  const script: { millis: number; failure: Failure | undefined } = { millis: 0, failure: undefined }
  const request = Effect.gen(function* () {
    times.push(yield* Clock.currentTimeMillis)
    if (script.millis > 0) yield* Effect.sleep(script.millis)
    return script.failure === undefined ? host : yield* Effect.fail(script.failure)
  })
  const call = access.call("eth_call", request)
  return { access, call, host, script, times }
}
type Scripted = ReturnType<typeof scripted>

const failoverOf = (nodes: ReadonlyArray<Scripted>) => {
  const use = Failover.make(1, nodes)
  return use(({ call }) =>
    Effect.mapError(
      call,
      ({ fault, message }) => new ChainUnavailable({ chainId: 1, message, timeout: fault === "timeout" })
    )
  )
}

/** Advances the clock in small steps, as time passes. */
const pass = (millis: number) =>
  Effect.forEach(Array.from({ length: millis / 100 }), () => TestClock.adjust(100), { discard: true })

describe("the access to a node", () => {
  it.effect("waits until the node accepts calls again", () =>
    Effect.gen(function* () {
      const node = scripted("a")
      node.script.failure = { ...limited, retryAfterMillis: 5_000 }
      expect(yield* Effect.flip(node.call)).toBe(node.script.failure)
      node.script.failure = undefined
      const call = yield* Effect.forkChild(node.call)
      yield* TestClock.adjust(4_999)
      expect(node.times).toHaveLength(1)
      expect(node.access.isAside(4_999)).toBe(true)
      // At most a fifth is added, so that not all servers return at the same time.
      yield* TestClock.adjust(1_001)
      expect(yield* Fiber.join(call)).toBe("a")
      expect(node.times[1]).toBeLessThanOrEqual(6_000)
    })
  )

  it.effect("fails at once if the node refuses calls for longer than the timeout, which is at most a minute", () =>
    Effect.gen(function* () {
      const node = scripted("a")
      node.script.failure = { ...limited, retryAfterMillis: 3_600_000 }
      yield* Effect.flip(node.call)
      expect(yield* Effect.flip(node.call)).toEqual({
        fault: "limited",
        message: "was not called for eth_call, because it refuses calls for 60 s"
      })
      expect(node.times).toHaveLength(1)
      node.script.failure = undefined
      yield* TestClock.adjust(60_000)
      expect(yield* node.call).toBe("a")
    })
  )

  it.effect("waits a second if the node does not say how long, and longer after each refusal in a row", () =>
    Effect.gen(function* () {
      const node = scripted("a")
      node.script.failure = limited
      for (const seconds of [1, 2, 4]) {
        expect(yield* Effect.flip(node.call)).toBe(limited)
        const now = yield* Clock.currentTimeMillis
        expect(node.access.isAside(now + seconds * 1_000 - 1)).toBe(true)
        expect(node.access.isAside(now + seconds * 1_200)).toBe(false)
        yield* TestClock.adjust(seconds * 1_200)
      }
      node.script.failure = undefined
      yield* TestClock.adjust(10_000)
      yield* node.call
      node.script.failure = limited
      node.script.millis = 1
      // Refusals of concurrent calls are one refusal.
      const calls = yield* Effect.forkChild(
        Effect.forEach([1, 2, 3], () => Effect.flip(node.call), { concurrency: "unbounded" })
      )
      yield* TestClock.adjust(1)
      yield* Fiber.join(calls)
      expect(node.access.isAside((yield* Clock.currentTimeMillis) + 1_200)).toBe(false)
    })
  )

  it.effect("keeps to the budget in every second, and serves calls in their order", () =>
    Effect.gen(function* () {
      const node = scripted("a", { requestsPerSecond: 5 })
      const order: Array<number> = []
      const calls = yield* Effect.forkChild(
        Effect.forEach(
          Array.from({ length: 23 }, (_, index) => index),
          (index) => Effect.tap(node.call, () => Effect.sync(() => order.push(index))),
          { concurrency: "unbounded" }
        )
      )
      yield* pass(5_000)
      yield* Fiber.join(calls)
      expect(order).toEqual(order.toSorted((a, b) => a - b))
      for (const time of node.times) {
        expect(node.times.filter((other) => other >= time && other < time + 1_000).length).toBeLessThanOrEqual(5)
      }
      expect(Math.max(...node.times)).toBe(4_000)
      const many = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 60 }), () => Effect.exit(node.call), { concurrency: "unbounded" })
      )
      yield* pass(12_000)
      const failed = (yield* Fiber.join(many)).filter(Exit.isFailure)
      expect(failed).toHaveLength(60 - 55)
    })
  )

  it.effect("bounds the calls at the same time, and gives up on a node that hangs", () =>
    Effect.gen(function* () {
      const node = scripted("a", { maxConcurrent: 2 })
      node.script.millis = 1_000
      const calls = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 6 }), () => node.call, { concurrency: "unbounded" })
      )
      yield* pass(3_000)
      yield* Fiber.join(calls)
      expect(node.times).toEqual([0, 0, 1_000, 1_000, 2_000, 2_000])
      node.script.millis = 60_000
      const stuck = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 3 }), () => Effect.exit(node.call), { concurrency: "unbounded" })
      )
      yield* pass(60_000)
      const [, , third] = yield* Fiber.join(stuck)
      expect(third).toEqual(
        Exit.fail({
          fault: "limited",
          message: "was not called for eth_call, because 2 other calls are waiting for it"
        })
      )
      node.script.millis = 0
      expect(yield* node.call).toBe("a")
    })
  )
})

describe("the failover of nodes", () => {
  it.effect("uses the other node for a minute in which the first one answers 429, and then the first one again", () =>
    Effect.gen(function* () {
      const [one, two] = [scripted("a", { requestsPerSecond: 5 }), scripted("b", { requestsPerSecond: 5 })]
      const ask = failoverOf([one, two])
      one.script.failure = { ...limited, retryAfterMillis: 60_000 }
      for (let second = 0; second < 60; second++) {
        expect(yield* ask).toBe("b")
        yield* TestClock.adjust(1_000)
      }
      expect([one.times.length, two.times.length]).toEqual([1, 60])
      one.script.failure = undefined
      expect(yield* ask).toBe("a")
    })
  )

  it.effect("waits for the node that accepts calls first if both refuse them", () =>
    Effect.gen(function* () {
      const [one, two] = [scripted("a"), scripted("b")]
      const ask = failoverOf([one, two])
      one.script.failure = { ...limited, retryAfterMillis: 60_000 }
      two.script.failure = { ...limited, retryAfterMillis: 2_000 }
      yield* Effect.flip(ask)
      two.script.failure = undefined
      const asking = yield* Effect.forkChild(ask)
      yield* TestClock.adjust(2_400)
      expect(yield* Fiber.join(asking)).toBe("b")
      expect(one.times).toHaveLength(1)
    })
  )

  it.effect("avoids a node that is much slower than the others for a while, and then tries it again", () =>
    Effect.gen(function* () {
      const [one, two] = [scripted("a"), scripted("b")]
      const ask = failoverOf([one, two])
      const asked = (node: Scripted, millis: number) =>
        Effect.gen(function* () {
          node.script.millis = millis
          const call = yield* Effect.forkChild(node.call)
          yield* TestClock.adjust(millis)
          yield* Fiber.join(call)
        })
      // Quorum questions measure all nodes.
      for (let count = 0; count < 5; count++) {
        yield* asked(one, 900)
        yield* asked(two, 100)
      }
      two.script.millis = 0
      expect(yield* ask).toBe("b")
      yield* TestClock.adjust(29_999)
      expect(yield* ask).toBe("b")
      one.script.millis = 0
      yield* TestClock.adjust(1)
      expect(yield* ask).toBe("a")
    })
  )

  it.effect("does not avoid a node that is only somewhat slower, or the only node", () =>
    Effect.gen(function* () {
      const [one, two] = [scripted("a"), scripted("b")]
      for (const [node, millis] of [
        [one, 90],
        [two, 10]
      ] as const) {
        node.script.millis = millis
        for (let count = 0; count < 9; count++) {
          const call = yield* Effect.forkChild(node.call)
          yield* TestClock.adjust(millis)
          yield* Fiber.join(call)
        }
        node.script.millis = 0
      }
      expect(yield* failoverOf([one, two])).toBe("a")
      expect(yield* failoverOf([one])).toBe("a")
    })
  )
})
