import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import type { Hash } from "viem"
import { ChainUnavailable } from "../../../src/chains/ChainError.js"
import * as Feed from "../../../src/chains/evm/nodes/feed.js"
import type { NewHeads } from "../../../src/chains/evm/nodes/newHeads.js"
import type { At, Block, Receipt } from "../../../src/chains/evm/nodes/reads.js"

const hashOf = (number: bigint, fork = 0): Hash => `0x${fork}${number.toString().padStart(63, "0")}`

const blockOf = (number: bigint, fork = 0): Block => ({
  number,
  hash: hashOf(number, fork),
  parentHash: hashOf(number - 1n, fork),
  timestamp: Number(number),
  baseFeePerGas: 0n
})

const receipt: Receipt = { hash: hashOf(1_000n), blockHash: hashOf(1n), blockNumber: 1n, logs: [] }

/** A node whose chain a test controls, and its feed. */
const scene = (newHeads?: NewHeads) => {
  const state = { latest: blockOf(1n), fork: 0, asked: 0, down: false }
  const blockAt = (at: At) =>
    Effect.suspend(() => {
      state.asked += 1
      return state.down
        ? Effect.fail(new ChainUnavailable({ chainId: 1, message: "down", timeout: false }))
        : Effect.succeed(typeof at === "string" ? state.latest : blockOf(at, state.fork))
    })
  const feed = Feed.make({ blockAt }, 1_000, newHeads)
  const arrive = (number: bigint, fork = state.fork) => {
    state.fork = fork
    state.latest = blockOf(number, fork)
  }
  return { arrive, feed, state }
}

describe("the feed of an EVM node", () => {
  it.effect("reads nothing until it is used, and the latest block once per interval for all callers", () =>
    Effect.gen(function* () {
      const { arrive, feed, state } = scene()
      yield* TestClock.adjust("1 hour")
      expect(state.asked).toBe(0)
      yield* Effect.all([feed.head, feed.recent, feed.head], { concurrency: "unbounded" })
      yield* feed.recent
      expect(state.asked).toBe(1)
      arrive(2n)
      yield* TestClock.adjust("1 second")
      expect((yield* feed.recent).number).toBe(2n)
      yield* feed.head
      expect(state.asked).toBe(2)
      yield* TestClock.adjust("1 hour")
      expect(state.asked).toBe(2)
    })
  )

  it.effect("follows the block time while it waits for blocks", () =>
    Effect.gen(function* () {
      const { arrive, feed, state } = scene()
      yield* feed.head
      for (let number = 2n; number < 30n; number++) {
        const waiting = yield* Effect.forkChild(feed.nextHead)
        yield* TestClock.adjust("11999 millis")
        expect(waiting.pollUnsafe()).toBeUndefined()
        arrive(number)
        if (number === 20n) state.asked = 0
        yield* TestClock.adjust("1 millis")
        while (waiting.pollUnsafe() === undefined) yield* TestClock.adjust("1 millis")
        yield* Fiber.join(waiting)
      }
      expect(state.asked).toBeLessThanOrEqual(12)
    })
  )

  it.effect("stops waiting if the node does not respond", () =>
    Effect.gen(function* () {
      const { feed, state } = scene()
      yield* feed.head
      state.down = true
      const waiting = yield* Effect.forkChild(feed.nextHead)
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(waiting)
    })
  )

  it.effect("keeps a value until the next block, but not a failure", () =>
    Effect.gen(function* () {
      const { arrive, feed } = scene()
      let reads = 0
      const read = Effect.suspend(() =>
        ++reads === 1 ? new ChainUnavailable({ chainId: 1, message: "down", timeout: false }) : Effect.succeed(reads)
      )
      const value = feed.perHead("value", read)
      yield* feed.head
      yield* Effect.flip(value)
      expect(yield* Effect.all([value, value], { concurrency: "unbounded" })).toEqual([2, 2])
      expect(yield* value).toBe(2)
      arrive(2n)
      yield* TestClock.adjust("1 second")
      yield* feed.head
      expect(yield* value).toBe(3)
      // If no block arrives, the value is read again after a while.
      yield* TestClock.adjust("15 seconds")
      expect(yield* value).toBe(4)
    })
  )

  it.effect.each([
    ["the next block follows", 2n, 0, true],
    ["blocks were skipped", 5n, 0, true],
    ["the next block has another parent", 2n, 1, false],
    ["the latest block was replaced", 1n, 1, false],
    ["blocks were skipped after a reorganization", 5n, 1, false]
  ] as const)("keeps receipts only as long as the chain is the same: %s", ([, number, fork, isKept]) =>
    Effect.gen(function* () {
      const { arrive, feed } = scene()
      yield* feed.head
      feed.receipts.set(receipt.hash, receipt)
      arrive(number, fork)
      yield* TestClock.adjust("1 second")
      yield* feed.head
      expect(feed.receipts.has(receipt.hash)).toBe(isKept)
    })
  )
})

/** A node whose announcements a test controls, and its feed, which knows that blocks take 12 seconds. */
const announcing = Effect.gen(function* () {
  const said = { latest: undefined as Hash | undefined, faults: [] as Array<string>, uses: 0 }
  let changed = () => {}
  const { arrive, feed, state } = scene({
    use: Effect.sync(() => void (said.uses += 1)),
    latest: () => said.latest,
    listen: (listener) => void (changed = listener),
    distrust: (fault) => void said.faults.push(fault),
    trust: () => {}
  })
  const announce = (hash: Hash | undefined) => {
    said.latest = hash
    changed()
  }
  for (let number = 1n; number < 10n; number++) {
    arrive(number)
    announce(hashOf(number))
    yield* feed.head
    yield* TestClock.adjust("12 seconds")
  }
  arrive(10n)
  announce(hashOf(10n))
  yield* feed.head
  state.asked = 0
  return { announce, arrive, feed, said, state }
})

/** Lets time pass until a fiber has ended, and returns the time. */
const timeOf = Effect.fnUntraced(function* (waiting: Fiber.Fiber<unknown>, longestMillis = 100_000) {
  let millis = 0
  // The fiber starts to wait.
  yield* TestClock.adjust(0)
  for (; waiting.pollUnsafe() === undefined && millis < longestMillis; millis += 100) {
    yield* TestClock.adjust("100 millis")
  }
  return millis
})

describe("the feed of an EVM node that announces its blocks", () => {
  it.effect("reads each block once, when it is announced, for all that wait", () =>
    Effect.gen(function* () {
      const { announce, arrive, feed, said, state } = yield* announcing
      for (let number = 11n; number < 30n; number++) {
        const waiting = yield* Effect.forkChild(Effect.all([feed.nextHead, feed.nextHead], { concurrency: 2 }))
        // The block is late, so that it would be polled for without announcements.
        yield* TestClock.adjust("13 seconds")
        expect(waiting.pollUnsafe()).toBeUndefined()
        arrive(number)
        announce(hashOf(number))
        expect(yield* timeOf(waiting)).toBeLessThanOrEqual(100)
        expect((yield* feed.head).number).toBe(number)
      }
      expect(state.asked).toBe(19)
      expect(said).toMatchObject({ faults: [], uses: 38 })
    })
  )

  it.effect("does not read announced blocks if nothing waits for them", () =>
    Effect.gen(function* () {
      const { announce, arrive, state } = yield* announcing
      for (let number = 11n; number < 30n; number++) {
        arrive(number)
        announce(hashOf(number))
        yield* TestClock.adjust("12 seconds")
      }
      expect(state.asked).toBe(0)
    })
  )

  it.effect("does not return an older block to requests than without announcements", () =>
    Effect.gen(function* () {
      const { feed, state } = yield* announcing
      yield* TestClock.adjust("1 second")
      yield* feed.recent
      yield* feed.recent
      expect(state.asked).toBe(1)
    })
  )

  it.effect("stays calm if it read a block before the announcement", () =>
    Effect.gen(function* () {
      const { announce, arrive, feed, said, state } = yield* announcing
      yield* TestClock.adjust("12 seconds")
      arrive(11n)
      yield* feed.refresh
      const waiting = yield* Effect.forkChild(feed.nextHead)
      yield* TestClock.adjust("10 seconds")
      announce(hashOf(11n))
      yield* TestClock.adjust("20 seconds")
      expect(waiting.pollUnsafe()).toBeUndefined()
      expect(state.asked).toBe(1)
      expect(said.faults).toEqual([])
      yield* Fiber.interrupt(waiting)
    })
  )

  it.effect("polls until the node returns the announced block", () =>
    Effect.gen(function* () {
      const { announce, arrive, feed, said, state } = yield* announcing
      const waiting = yield* Effect.forkChild(feed.nextHead)
      yield* TestClock.adjust("12 seconds")
      // The announcement arrives before the other nodes behind the same URL have the block.
      announce(hashOf(11n))
      yield* TestClock.adjust("2500 millis")
      expect(state.asked).toBe(3)
      arrive(11n)
      expect(yield* timeOf(waiting)).toBeLessThanOrEqual(1_000)
      expect(said.faults).toEqual([])
    })
  )

  it.effect("reads at most once per poll interval, whatever is announced, and ends such a subscription", () =>
    Effect.gen(function* () {
      const { announce, feed, said, state } = yield* announcing
      const waiting = yield* Effect.forkChild(Effect.forever(feed.nextHead))
      for (let number = 0n; number < 1_000n; number++) {
        announce(hashOf(number, 2))
        yield* feed.head
        yield* TestClock.adjust("20 millis")
      }
      expect(state.asked).toBeGreaterThan(10)
      expect(state.asked).toBeLessThanOrEqual(21)
      expect(said.faults).toContain("unreadable")
      yield* Fiber.interrupt(waiting)
    })
  )

  it.effect("ends a subscription that announces far more blocks than there can be", () =>
    Effect.gen(function* () {
      const { announce, said, state } = yield* announcing
      for (let number = 0n; number < 1_000n; number++) announce(hashOf(number, 2))
      expect(said.faults).toEqual([])
      announce(hashOf(1_000n, 2))
      expect(said.faults).toEqual(["unreadable"])
      expect(state.asked).toBe(0)
    })
  )

  it.effect("finds a block that was not announced after a few block times, and ends the subscription", () =>
    Effect.gen(function* () {
      const { arrive, feed, said } = yield* announcing
      const waiting = yield* Effect.forkChild(feed.nextHead)
      arrive(11n)
      expect(yield* timeOf(waiting)).toBe(36_000)
      expect(said.faults).toEqual(["timeout"])
    })
  )

  it.effect("keeps the subscription if there is no new block", () =>
    Effect.gen(function* () {
      const { feed, said, state } = yield* announcing
      const waiting = yield* Effect.forkChild(feed.nextHead)
      yield* TestClock.adjust("10 minutes")
      expect(state.asked).toBeLessThanOrEqual(17)
      expect(said.faults).toEqual([])
      yield* Fiber.interrupt(waiting)
    })
  )

  it.effect("polls as soon as the subscription ends", () =>
    Effect.gen(function* () {
      const { announce, arrive, feed } = yield* announcing
      const waiting = yield* Effect.forkChild(feed.nextHead)
      yield* TestClock.adjust("20 seconds")
      arrive(11n)
      announce(undefined)
      expect(yield* timeOf(waiting)).toBeLessThanOrEqual(100)
      const next = yield* Effect.forkChild(feed.nextHead)
      yield* TestClock.adjust("12 seconds")
      arrive(12n)
      expect(yield* timeOf(next)).toBeLessThanOrEqual(1_000)
    })
  )
})
