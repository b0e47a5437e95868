import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as TestClock from "effect/testing/TestClock"
import { cachedChains } from "../../src/chains/cachedChains.js"
import { ChainUnavailable } from "../../src/chains/ChainError.js"
import { plainChain } from "../../src/testing/plainChain.js"

/** A chain that records its requests and can be down. */
const makeChain = Effect.gen(function* () {
  const asked: Array<string> = []
  const state = { down: false, height: 7n, known: false }
  const say = (question: string) =>
    Effect.suspend(() => {
      asked.push(question)
      return state.down
        ? Effect.fail(new ChainUnavailable({ chainId: 1, message: "down", timeout: false }))
        : Effect.succeed(BigInt(asked.length))
    })
  const plain = plainChain({
    family: "evm",
    id: 1,
    name: "One",
    tokens: [],
    costOf: ({ gas, kind, opensAccount, party = "anyone", token }) =>
      say(`cost ${kind} ${token} ${party} ${opensAccount}${gas === undefined ? "" : ` ${gas}`}`),
    balanceOf: (token, owner) => say(`balance ${token} ${owner}`)
  })
  if (plain.family !== "evm") return yield* Effect.die("it is an EVM chain")
  const real = {
    ...plain,
    deliveryGas: ({ amount, to = "anyone", token }: Parameters<typeof plain.deliveryGas>[0]) =>
      Effect.map(say(`gas ${token} ${to} ${amount}`), (needed) => ({ charged: needed, needed })),
    // The chain itself reads these once per block.
    inventoryOf: (token: string) => say(`inventory ${token}`),
    balanceAt: (token: string, owner: string) =>
      Effect.map(say(`balance ${token} ${owner}`), (amount) => ({ amount, block: state.height })),
    delegationOf: () => Effect.succeed({ delegation: "ours" as const }),
    largestInput: (token: string) => say(`largest ${token}`),
    height: Effect.sync(() => state.height),
    knownHeight: () => (state.known ? state.height : undefined)
  }
  const directory = yield* cachedChains({ chains: new Map([[1, real]]), natives: new Map() })
  const chain = directory.chains.get(1)
  return chain?.family === "evm" ? { asked, chain, state } : yield* Effect.die("the chain is lost")
})

const query = { kind: "collect", token: "a", party: "b", opensAccount: false } as const

describe("cachedChains", () => {
  it.effect("reads a value once per block for all callers", () =>
    Effect.gen(function* () {
      const { asked, chain, state } = yield* makeChain
      const all = Effect.all([
        chain.costOf(query),
        chain.costOf({ ...query, kind: "deliver", opensAccount: true }),
        chain.costOf({ ...query, kind: "deliver", gas: 123_456n }),
        chain.deliveryGas({ token: "a", to: "b", amount: 1n }),
        chain.balanceOf("a", "b"),
        chain.balanceOf("b", "a"),
        chain.largestInput("a", "b"),
        chain.costOf({ kind: "collect", token: "a", opensAccount: false }),
        chain.deliveryGas({ token: "a", amount: 1n }),
        chain.largestInput("a"),
        chain.height
      ])
      const first = yield* all
      yield* TestClock.adjust("30 seconds")
      expect(yield* all).toEqual(first)
      expect(asked).toEqual([
        "cost collect a b false",
        "cost deliver a b true",
        "cost deliver a b false 123456",
        "gas a b 1",
        "balance a b",
        "balance b a",
        "largest a",
        "cost collect a anyone false",
        "gas a anyone 1"
      ])
      state.height = 8n
      yield* all
      expect(asked).toHaveLength(18)
      expect(yield* chain.inventoryOf("a")).toBe(19n)
    })
  )

  it.effect("returns a cached value at once if the block is known", () =>
    Effect.gen(function* () {
      const { asked, chain, state } = yield* makeChain
      state.known = true
      const all = () => [
        chain.costOf(query),
        chain.balanceOf("a", "b"),
        chain.inventoryOf("a"),
        chain.largestInput("a")
      ]
      expect(all().some(Exit.isExit)).toBe(false)
      const values = yield* Effect.all(all())
      expect(all()).toEqual(values.map((value) => Exit.succeed(value)))
      state.height = 8n
      expect(all().some(Exit.isExit)).toBe(false)
      expect(asked).toHaveLength(4)
    })
  )

  it.effect("does not cache failures", () =>
    Effect.gen(function* () {
      const { asked, chain, state } = yield* makeChain
      state.down = true
      expect(yield* Effect.flip(chain.balanceOf("a", "b"))).toBeInstanceOf(ChainUnavailable)
      state.down = false
      expect(yield* chain.balanceOf("a", "b")).toBe(2n)
      expect(asked).toHaveLength(2)
    })
  )
})
