import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as Balances from "../../src/calls/Balances.js"
import { ChainUnavailable } from "../../src/chains/ChainError.js"
import { plainChain } from "../../src/testing/plainChain.js"

const wallet = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
const owner = "GThUX1Atko4tqhN2NaiTazWSeFWMuiUvfFnyJyUghFMJ"
const native = `0x${"0".repeat(40)}`
const tokens = ["0x01", "0x02"].map((address) => ({ symbol: address, address, decimals: 6 }))

/** Two chains that answer after a delay, and the requests to them. */
const fixture = (answer: (token: string) => Effect.Effect<bigint, ChainUnavailable> = () => Effect.succeed(7n)) => {
  const asked: Array<string> = []
  const chainOf = (family: "evm" | "solana", id: number) =>
    plainChain({
      family,
      id,
      name: family,
      tokens,
      costOf: () => Effect.die("costs are not read here"),
      balanceOf: (token, owner) =>
        Effect.andThen(
          Effect.sync(() => void asked.push(`${id} ${token} ${owner}`)),
          Effect.delay(answer(token), 100)
        )
    })
  const chains = new Map([chainOf("evm", 1), chainOf("solana", 2)].map((chain) => [chain.id, chain]))
  return { asked, balances: Balances.make(chains) }
}

/** The result of an effect once the chains have answered. */
const later = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    yield* TestClock.adjust(100)
    return yield* Fiber.join(fiber)
  })

describe("Balances", () => {
  it.effect("returns the balances of every token and of the native token, read concurrently", () =>
    Effect.gen(function* () {
      const { asked, balances } = fixture((token) => Effect.succeed(BigInt(token)))
      expect(yield* later(balances({ chainId: 1, walletAddress: wallet }))).toEqual([
        { token: "0x01", amount: 1n },
        { token: "0x02", amount: 2n },
        { token: native, amount: 0n }
      ])
      expect(asked).toEqual([`1 0x01 ${wallet}`, `1 0x02 ${wallet}`, `1 ${native} ${wallet}`])
    })
  )

  it.effect("reads after the request arrived: requests during a read wait for the next one and share it", () =>
    Effect.gen(function* () {
      let held = 7n
      const { asked, balances } = fixture(() => Effect.succeed(held))
      const amounts = (walletAddress = wallet) =>
        Effect.map(balances({ chainId: 1, walletAddress }), (all) => all.map(({ amount }) => amount))
      const early = yield* Effect.forkChild(amounts())
      yield* TestClock.adjust(50)
      // The chain has answered the first read with what was there before.
      held = 8n
      const late = yield* Effect.forkChild(amounts())
      const upper = yield* Effect.forkChild(amounts(`0x${wallet.slice(2).toUpperCase()}`))
      yield* TestClock.adjust(50)
      expect(yield* Fiber.join(early)).toEqual([7n, 7n, 7n])
      expect(late.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(100)
      expect([yield* Fiber.join(late), yield* Fiber.join(upper)]).toEqual([
        [8n, 8n, 8n],
        [8n, 8n, 8n]
      ])
      expect(asked).toHaveLength(6)
      held = 9n
      expect(yield* later(amounts())).toEqual([9n, 9n, 9n])
      expect(asked).toHaveLength(9)
    })
  )

  it.effect("does not wait for reads of another wallet or chain", () =>
    Effect.gen(function* () {
      const { balances } = fixture()
      const all = [
        balances({ chainId: 1, walletAddress: wallet }),
        balances({ chainId: 1, walletAddress: `0x${"1".repeat(40)}` }),
        balances({ chainId: 2, walletAddress: owner })
      ]
      expect(yield* later(Effect.all(all, { concurrency: "unbounded" }))).toHaveLength(3)
    })
  )

  it.effect("answers waiting requests even if the request that started the read was interrupted", () =>
    Effect.gen(function* () {
      const { balances } = fixture()
      const ask = balances({ chainId: 1, walletAddress: wallet })
      const first = yield* Effect.forkChild(ask)
      yield* TestClock.adjust(50)
      const second = yield* Effect.forkChild(ask)
      yield* TestClock.adjust(10)
      yield* Fiber.interrupt(first)
      yield* TestClock.adjust(140)
      expect(yield* Fiber.join(second)).toHaveLength(3)
    })
  )

  it.effect("reads again after a failure, which reports that the chain cannot be reached", () =>
    Effect.gen(function* () {
      let down = true
      const silent = new ChainUnavailable({ chainId: 1, message: "http://node/key does not answer", timeout: true })
      const { balances } = fixture((token) => (down && token === "0x02" ? Effect.fail(silent) : Effect.succeed(7n)))
      const refused = yield* later(Effect.flip(balances({ chainId: 1, walletAddress: wallet })))
      expect(refused).toMatchObject({ code: "UPSTREAM_TIMEOUT", retryAfter: 2 })
      expect(refused.message).not.toContain("http")
      down = false
      expect(yield* later(balances({ chainId: 1, walletAddress: wallet }))).toHaveLength(3)
    })
  )

  it.effect("refuses an unsupported chain and an address of another kind without a request", () =>
    Effect.gen(function* () {
      const { asked, balances } = fixture()
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
