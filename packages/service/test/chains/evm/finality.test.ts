/** Which block is final on a node. A test sets what the node reports, and counts its requests. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import type { Hash } from "viem"
import { ChainUnavailable } from "../../../src/chains/ChainError.js"
import { make as makeFeed } from "../../../src/chains/evm/nodes/feed.js"
import type { Node } from "../../../src/chains/evm/nodes/nodeQuorum.js"
import type { At, Block } from "../../../src/chains/evm/nodes/reads.js"
import { depthFor, finalHeight, leastDepth } from "../../../src/chains/evm/proof/finality.js"
import type * as Config from "../../../src/config/Config.js"

const hashOf = (number: bigint, fork: number): Hash => `0x${fork}${number.toString().padStart(63, "0")}`

/** A node with several blocks per second, whose `safe` and `finalized` blocks are 100 and 1,000 blocks behind. */
const scene = (blocksPerSecond = 4n, tags = true) => {
  const state = { latest: 100_000n, fork: 0, asked: 0 }
  const blockOf = (number: bigint): Block => ({
    number,
    hash: hashOf(number, state.fork),
    parentHash: hashOf(number - 1n, state.fork),
    timestamp: Number(number / blocksPerSecond),
    baseFeePerGas: 0n
  })
  const blockAt = (at: At) =>
    Effect.suspend(() => {
      state.asked += 1
      if (typeof at === "bigint") return Effect.succeed(blockOf(at))
      if (at !== "safe" && at !== "finalized") return Effect.succeed(blockOf(state.latest))
      return tags
        ? Effect.succeed(blockOf(state.latest - (at === "safe" ? 100n : 1_000n)))
        : Effect.fail(new ChainUnavailable({ chainId: 1, message: "unknown tag", timeout: false }))
    })
  const node = { blockAt, feed: makeFeed({ blockAt }, 250) } as unknown as Node
  const final = (depth: Config.Depth) => Effect.flatMap(node.feed.head, (latest) => finalHeight(node, depth, latest))
  return { final, state }
}

describe("the depth of a final block", () => {
  const finality: Config.EvmChain["finality"] = [
    { upToUsd: 1_000, after: { seconds: 24 } },
    { upToUsd: 100_000, after: "safe" },
    { after: "finalized" }
  ]

  it("grows with the dollars at risk, and is the largest if they are not known", () => {
    const depths = [0, 1_000, 1_000.01, 100_000, 100_001, undefined].map((usd) => depthFor({ finality }, usd))
    expect(depths).toEqual([{ seconds: 24 }, { seconds: 24 }, "safe", "safe", "finalized", "finalized"])
    expect(leastDepth({ finality })).toEqual({ seconds: 24 })
    expect(depthFor({ finality: [{ after: "safe" }] }, 1e9)).toBe("safe")
  })
})

describe("the final block of a node", () => {
  it.effect("is covered by a number of blocks, of which it is the first", () =>
    Effect.gen(function* () {
      const { final, state } = scene()
      expect(yield* final({ blocks: 1 })).toBe(100_000n)
      expect(yield* final({ blocks: 12 })).toBe(99_989n)
      state.latest = 5n
      yield* TestClock.adjust("1 minute")
      expect(yield* final({ blocks: 12 })).toBe(0n)
    })
  )

  it.effect("is the one that the node reports as safe or finalized, read once per block", () =>
    Effect.gen(function* () {
      const { final, state } = scene()
      expect([yield* final("safe"), yield* final("safe"), yield* final("finalized")]).toEqual([
        99_900n,
        99_900n,
        99_000n
      ])
      expect(state.asked).toBe(3)
      const { final: without } = scene(4n, false)
      expect((yield* Effect.flip(without("finalized"))).message).toBe("unknown tag")
    })
  )

  it.effect("is never newer than the latest block less the seconds, and needs no requests once blocks were seen", () =>
    Effect.gen(function* () {
      for (const blocksPerSecond of [1n, 4n, 40n]) {
        const { final, state } = scene(blocksPerSecond)
        for (let second = 0; second < 120; second++) {
          if (second === 60) state.asked = 0
          const height = yield* final({ seconds: 24 })
          const newest = (BigInt(Number(state.latest / blocksPerSecond) - 24) + 1n) * blocksPerSecond - 1n
          expect(height).toBeLessThanOrEqual(newest)
          // Until it has seen blocks that are old enough, the feed keeps the first one.
          if (second > 25) expect(height).toBeGreaterThanOrEqual(newest - 2n * blocksPerSecond)
          state.latest += blocksPerSecond
          yield* TestClock.adjust("1 second")
        }
        // Only the latest block is read.
        expect(state.asked).toBe(60)
      }
    })
  )

  it.effect("is found again among the blocks that replaced others", () =>
    Effect.gen(function* () {
      const { final, state } = scene(1n)
      for (let second = 0; second < 60; second++) {
        yield* final({ seconds: 24 })
        state.latest += 1n
        yield* TestClock.adjust("1 second")
      }
      state.fork = 1
      state.latest -= 30n
      state.asked = 0
      expect(yield* final({ seconds: 24 })).toBe(state.latest - 24n)
      expect(state.asked).toBeGreaterThan(1)
    })
  )
})
