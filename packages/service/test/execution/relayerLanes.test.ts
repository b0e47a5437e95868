import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { describe } from "vitest"
import type { Chain, Relayers } from "../../src/chains/Chains.js"
import * as RelayerLanes from "../../src/execution/relayerLanes.js"
import type { Lane } from "../../src/store/RelayerLane.js"
import { plainChain } from "../chains/plainChain.js"

const id = 1
const [one, two, three] = [`0x${"0A".repeat(20)}`, `0x${"0b".repeat(20)}`, `0x${"0C".repeat(20)}`] as const

const setUp = Effect.fnUntraced(function* (relayers: Relayers, stored: ReadonlyArray<Partial<Lane>>) {
  const state = { reads: 0, stored }
  const plain = plainChain({
    family: "evm",
    id,
    name: "A",
    tokens: [],
    costOf: () => Effect.succeed(0n),
    balanceOf: () => Effect.succeed(0n)
  })
  const chain = { ...plain, relayers, relayer: relayers[0] } as Chain
  const lanes = yield* RelayerLanes.make(
    { chains: new Map([[id, chain]]), natives: new Map() },
    {
      lanes: {
        all: Effect.sync(() => {
          state.reads++
          return state.stored.map((lane) => ({
            chainId: id,
            relayer: "",
            pending: 0,
            unfinished: 0,
            pendingCost: 0n,
            ...lane
          }))
        }),
        next: () => Effect.die("unused"),
        retire: () => Effect.die("unused"),
        restore: () => Effect.die("unused")
      }
    }
  )
  return { state, lanes, order: lanes.order(chain) }
})

describe("the order of a chain's relayers", () => {
  it.effect("needs no database if there is only one", () =>
    Effect.gen(function* () {
      const { order, state } = yield* setUp([one], [])
      expect(yield* order).toEqual([one])
      expect(state.reads).toBe(0)
    })
  )

  it.effect("prefers those with fewer pending transactions, and counts its own choices", () =>
    Effect.gen(function* () {
      const { order, state } = yield* setUp(
        [one, two, three],
        [
          { relayer: one.toLowerCase(), pending: 2 },
          { relayer: two.toLowerCase(), pending: 1 }
        ]
      )
      const chosen: Array<string> = []
      for (let round = 0; round < 6; round++) chosen.push((yield* order)[0])
      expect(chosen).toEqual([three, two, three, one, two, three])
      expect(state.reads).toBe(1)
      yield* TestClock.adjust("2 seconds")
      expect(yield* order).toEqual([three, two, one])
      expect(state.reads).toBe(2)
    })
  )

  it.effect("puts those with a stuck transaction last", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000_000)
      const { order } = yield* setUp(
        [one, two],
        [
          { relayer: one.toLowerCase(), pending: 1, oldestAt: 1_000_000 - 30_001 },
          { relayer: two.toLowerCase(), pending: 50, oldestAt: 1_000_000 - 30_000 }
        ]
      )
      expect(yield* order).toEqual([two, one])
    })
  )

  it.effect("contains no retired relayer, and is an error if all are retired", () =>
    Effect.gen(function* () {
      const { order, state } = yield* setUp([one, two], [{ relayer: one.toLowerCase(), retiredAt: 1 }])
      expect(yield* order).toEqual([two])
      state.stored = [
        { relayer: one.toLowerCase(), retiredAt: 1 },
        { relayer: two.toLowerCase(), retiredAt: 1 }
      ]
      yield* TestClock.adjust("2 seconds")
      expect(yield* Effect.flip(order)).toMatchObject({
        _tag: "ChainUnavailable",
        message: expect.stringContaining("geoswap-server relayers restore") as string
      })
    })
  )
})

describe("taking a relayer's nonce", () => {
  it.effect("holds up only the same relayer on the same chain", () =>
    Effect.gen(function* () {
      const { lanes } = yield* setUp([one, two], [])
      const stuck = yield* Effect.forkChild(lanes.withNonce(id, one)(Effect.never))
      yield* Effect.yieldNow
      expect(yield* lanes.withNonce(id, two)(Effect.succeed("two"))).toBe("two")
      const waiting = yield* Effect.forkChild(lanes.withNonce(id, one.toLowerCase())(Effect.succeed("one")))
      yield* Effect.yieldNow
      expect(waiting.pollUnsafe()).toBeUndefined()
      yield* Fiber.interrupt(stuck)
      expect(yield* Fiber.join(waiting)).toBe("one")
    })
  )
})
