import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import type { Hash } from "viem"
import { ChainUnavailable } from "../../../src/chains/Chains.js"
import * as Feed from "../../../src/chains/evm/feed.js"
import type { Block, Receipt } from "../../../src/chains/evm/reads.js"

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
const scene = () => {
  const state = { latest: blockOf(1n), fork: 0, asked: 0, down: false }
  const blockAt = (at: bigint | "latest") =>
    Effect.suspend(() => {
      state.asked += 1
      return state.down
        ? Effect.fail(new ChainUnavailable({ chainId: 1, message: "down", timeout: false }))
        : Effect.succeed(at === "latest" ? state.latest : blockOf(at, state.fork))
    })
  const feed = Feed.make({ blockAt }, 1_000)
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
      Feed.remember(feed.receipts, receipt.hash, receipt)
      arrive(number, fork)
      yield* TestClock.adjust("1 second")
      yield* feed.head
      expect(feed.receipts.has(receipt.hash)).toBe(isKept)
    })
  )
})
