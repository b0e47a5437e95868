import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as Balances from "../src/Balances.js"
import { ChainUnavailable } from "../src/Chains.js"
import { plainChain } from "./plainChain.js"

const wallet = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
const owner = "GThUX1Atko4tqhN2NaiTazWSeFWMuiUvfFnyJyUghFMJ"
const tokens = ["0x01", "0x02"].map((address) => ({ symbol: address, address, decimals: 6 }))

/** Two chains that answer after a while, and what they were asked. */
const world = (answer: (token: string) => Effect.Effect<bigint, ChainUnavailable> = () => Effect.succeed(7n)) => {
  const asked: Array<string> = []
  const chainOf = (family: "evm" | "solana", id: number) =>
    plainChain({
      family,
      id,
      name: family,
      tokens,
      costOf: () => Effect.die("nobody asks for costs"),
      balanceOf: (token, owner) =>
        Effect.andThen(
          Effect.sync(() => void asked.push(`${id} ${token} ${owner}`)),
          Effect.delay(answer(token), 100)
        )
    })
  const chains = new Map([chainOf("evm", 1), chainOf("solana", 2)].map((chain) => [chain.id, chain]))
  return { asked, make: Balances.make(chains) }
}

/** What comes of something once the chains have answered. */
const later = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    yield* TestClock.adjust(100)
    return yield* Fiber.join(fiber)
  })

describe("Balances", () => {
  it.effect("tell what a wallet has of every token of its chain, all asked for at once", () =>
    Effect.gen(function* () {
      const { asked, make } = world((token) => Effect.succeed(BigInt(token)))
      const balances = yield* make
      expect(yield* later(balances({ chainId: 1, walletAddress: wallet }))).toEqual([
        { token: "0x01", amount: 1n },
        { token: "0x02", amount: 2n }
      ])
      expect(asked).toEqual([`1 0x01 ${wallet}`, `1 0x02 ${wallet}`])
    })
  )

  it.effect("ask a chain once for all who ask at the same time, and once a second", () =>
    Effect.gen(function* () {
      const { asked, make } = world()
      const balances = yield* make
      const upper = `0x${wallet.slice(2).toUpperCase()}`
      const both = [wallet, upper, wallet].map((walletAddress) => balances({ chainId: 1, walletAddress }))
      expect(yield* later(Effect.all(both, { concurrency: "unbounded" }))).toHaveLength(3)
      expect(asked).toHaveLength(2)
      yield* TestClock.adjust(900)
      yield* balances({ chainId: 1, walletAddress: wallet })
      expect(asked).toHaveLength(2)
      yield* TestClock.adjust(101)
      yield* later(balances({ chainId: 1, walletAddress: wallet }))
      expect(asked).toHaveLength(4)
      // Another wallet, or the same one elsewhere, is another question.
      yield* later(balances({ chainId: 2, walletAddress: owner }))
      expect(asked).toHaveLength(6)
    })
  )

  it.effect("remember no failure, and say that the chain cannot be reached", () =>
    Effect.gen(function* () {
      let down = true
      const silent = new ChainUnavailable({ chainId: 1, message: "http://node/key does not answer", timeout: true })
      const { make } = world((token) => (down && token === "0x02" ? Effect.fail(silent) : Effect.succeed(7n)))
      const balances = yield* make
      const refused = yield* later(Effect.flip(balances({ chainId: 1, walletAddress: wallet })))
      expect(refused).toMatchObject({ code: "UPSTREAM_TIMEOUT", retryAfter: 2 })
      expect(refused.message).not.toContain("http")
      down = false
      expect(yield* later(balances({ chainId: 1, walletAddress: wallet }))).toHaveLength(2)
    })
  )

  it.effect("refuse a chain that is not served, and an address of another kind, without asking anybody", () =>
    Effect.gen(function* () {
      const { asked, make } = world()
      const balances = yield* make
      for (const [chainId, walletAddress, field] of [
        [3, wallet, "chainId"],
        [1, owner, "walletAddress"],
        [2, wallet, "walletAddress"],
        [1, "", "walletAddress"]
      ] as const) {
        const refused = yield* Effect.flip(balances({ chainId, walletAddress }))
        expect([refused.code, refused.message.split(":")[0]]).toEqual(["VALIDATION", field])
      }
      expect(asked).toEqual([])
    })
  )
})
