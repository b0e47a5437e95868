import { describe, layer } from "@effect/vitest"
import { EvmNode, Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { type Address, createPublicClient, http, numberToHex } from "viem"
import { expect } from "vitest"
import type { EvmChain } from "../../../src/chains/Chains.js"
import { leastTip } from "../../../src/chains/evm/fees/feeEstimate.js"
import { withRise } from "../../../src/chains/evm/fees/gasFees.js"
import * as Config from "../../../src/config/Config.js"
import * as Pricing from "../../../src/pricing/Pricing.js"
import * as TableVenue from "../../../src/venue/TableVenue.js"
import { EvmFixture, freshAddress, layer as fixtureLayer, native, nextBaseFeeOf } from "./fixture.js"

const gwei = 1_000_000_000n
const usdc = 1_000_000n

interface History {
  readonly baseFeePerGas: ReadonlyArray<string>
  readonly gasUsedRatio: ReadonlyArray<number>
  readonly reward: ReadonlyArray<ReadonlyArray<string>>
}
const times = (factor: bigint) => (value: unknown) => numberToHex(BigInt(String(value)) * factor)
const changeHistory = (change: (history: History) => object) =>
  Proxy.change((history) => ({ ...(history as History), ...change(history as History) }))
/** Makes a node suggest a hundredfold tip and report that it was paid, even in empty blocks. */
const lie = (node: Proxy.Proxy) =>
  Effect.all([
    node.set("eth_maxPriorityFeePerGas", Proxy.change(times(100n))),
    node.set("eth_gasPrice", Proxy.change(times(100n))),
    node.set(
      "eth_feeHistory",
      changeHistory(({ reward }) => ({
        reward: reward.map((tips) => tips.map((tip) => (tip === "0x0" ? numberToHex(100n * gwei) : times(100n)(tip))))
      }))
    )
  ])

/** Of a known gas: here only its price counts. */
const costOf = (chain: EvmChain) =>
  chain.costOf({ kind: "deliver", token: native, party: chain.relayer, opensAccount: false, gas: 70_000n })
const expectWithin = (percent: bigint, actual: bigint, expected: bigint) => {
  expect(actual * 100n).toBeGreaterThanOrEqual(expected * (100n - percent))
  expect(actual * 100n).toBeLessThanOrEqual(expected * (100n + percent))
}

/** The output of a quote for 10 USDC. Gas is a large part of it. */
const quoteOf = Effect.fnUntraced(function* (chain: EvmChain) {
  const tokens = chain.tokens.filter(({ symbol }) => symbol === "USDC" || symbol === "WETH")
  const { delegate, id, name, vault } = chain
  const config = yield* Config.parse(
    JSON.stringify({
      chains: [{ kind: "evm", id, name, rpcUrls: ["http://x"], vaults: [{ address: vault, delegate }], tokens }],
      venue: {
        kind: "table",
        prices: {
          USDC: { usd: "1", depthUsd: "1000000" },
          ETH: { usd: "2000", depthUsd: "1000000" },
          WETH: { usd: "2000", depthUsd: "1000000" }
        }
      },
      fees: { baseFeeBps: 10 }
    })
  )
  if (config.venue.kind !== "table") return yield* Effect.die("It is a table.")
  const [inputToken, outputToken] = tokens.map((token) => ({ chainId: id, ...token }))
  if (inputToken === undefined || outputToken === undefined) return yield* Effect.die("There are no tokens.")
  const { output } = yield* Pricing.fromVenue(config, TableVenue.make(config.venue, Config.priceNames(config))).price({
    origin: chain,
    destination: chain,
    inputToken,
    outputToken,
    amount: 10n * usdc,
    wallet: freshAddress(),
    recipient: freshAddress(),
    opensAccount: false,
    deliveryGas: 92_000n
  })
  return output
})

describe("the price of gas", () => {
  layer(fixtureLayer, { timeout: 60_000 })((it) => {
    /** The cost, a quote and the offer for a transaction. */
    const observed = Effect.fnUntraced(function* (chain: EvmChain) {
      const { sendJob, usdc: token } = yield* EvmFixture
      const draft = yield* chain.prepare(sendJob("deliver", token, freshAddress(), 1n))
      const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = yield* chain.sign(draft, 0)
      return { cost: yield* costOf(chain), output: yield* quoteOf(chain), maxFeePerGas, maxPriorityFeePerGas }
    })

    /** Mines blocks with a transaction that pays a tip, at a base fee of 5 gwei. */
    const busyBlocks = Effect.fnUntraced(function* (count: number, tip: bigint) {
      const { client, config, nextBaseFee, node } = yield* EvmFixture
      const sender: Address = "0x00000000000000000000000000000000000000ff"
      yield* Effect.promise(() => client.impersonateAccount({ address: sender }))
      yield* Effect.promise(() => client.setBalance({ address: sender, value: 10n ** 24n }))
      for (let block = 0; block < count; block++) {
        yield* Effect.promise(() =>
          client.sendTransaction({
            account: sender,
            chain: null,
            to: config.vaults[0].address,
            value: 1n,
            gas: 100_000n,
            maxFeePerGas: 1_000n * gwei,
            maxPriorityFeePerGas: tip
          })
        )
        yield* node.setBaseFee(5n * gwei)
        yield* node.mine()
      }
      yield* nextBaseFee
    })

    it.effect(
      "ignores the hundredfold tips of a single node right after the start of a chain without history",
      () =>
        Effect.gen(function* () {
          const { chainWith } = yield* EvmFixture
          const node = yield* EvmNode.make({ chainId: 31337, port: 0, blockTime: 0 })
          const proxy = yield* Proxy.make({ target: node.rpcUrl })
          const [honest, lied] = [
            yield* chainWith({ rpcUrls: [node.rpcUrl] }),
            yield* chainWith({ rpcUrls: [proxy.rpcUrl] })
          ]
          yield* lie(proxy)
          const client = createPublicClient({ transport: http(node.rpcUrl) })
          // Without history, the tip follows the base fee.
          expect(yield* costOf(honest)).toBe(withRise(2n * (yield* nextBaseFeeOf(client))) * 70_000n)
          expect(yield* costOf(lied)).toBe(yield* costOf(honest))
          yield* node.mine(3)
          yield* nextBaseFeeOf(client)
          yield* TestClock.adjust("1 second")
          expect(yield* costOf(lied)).toBe(yield* costOf(honest))
        }).pipe(Effect.scoped),
      // It starts another chain.
      120_000
    )

    it.effect("ignores one node of two or three that reports hundredfold tips", () =>
      Effect.gen(function* () {
        const { chainWith, node } = yield* EvmFixture
        yield* busyBlocks(10, gwei)
        const proxy = yield* Proxy.make({ target: node.rpcUrl })
        yield* lie(proxy)
        const expected = yield* observed(yield* chainWith({}))
        expect(expected.maxPriorityFeePerGas).toBe(gwei)
        for (const rpcUrls of [
          [proxy.rpcUrl, node.rpcUrl, node.rpcUrl],
          [node.rpcUrl, proxy.rpcUrl, node.rpcUrl],
          [node.rpcUrl, proxy.rpcUrl]
        ] as const) {
          expect(yield* observed(yield* chainWith({ rpcUrls }))).toEqual(expected)
        }
      }).pipe(Effect.scoped)
    )

    it.effect("ignores one node of three that reports a hundredfold base fee", () =>
      Effect.gen(function* () {
        const { chainWith, node } = yield* EvmFixture
        const proxy = yield* Proxy.make({ target: node.rpcUrl })
        const expected = yield* observed(yield* chainWith({}))
        const chain = yield* chainWith({ rpcUrls: [proxy.rpcUrl, node.rpcUrl, node.rpcUrl] })
        yield* proxy.set(
          "eth_feeHistory",
          changeHistory(({ baseFeePerGas }) => ({ baseFeePerGas: baseFeePerGas.map(times(100n)) }))
        )
        expect(yield* observed(chain)).toEqual(expected)
      }).pipe(Effect.scoped)
    )

    it.effect("moves by at most 5% per block when a single node starts to report hundredfold tips", () =>
      Effect.gen(function* () {
        const { proxied } = yield* EvmFixture
        const { chain, proxy } = yield* proxied()
        yield* busyBlocks(10, gwei)
        const before = yield* observed(chain)
        expect(before.maxPriorityFeePerGas).toBe(gwei)
        yield* lie(proxy)
        yield* TestClock.adjust("1 second")
        expect(yield* costOf(chain)).toBe(before.cost)
        yield* busyBlocks(1, gwei)
        yield* TestClock.adjust("1 second")
        const after = yield* observed(chain)
        expect(after.cost).toBeGreaterThan(before.cost)
        expectWithin(5n, after.cost, before.cost)
        expectWithin(5n, after.output, before.output)
        expectWithin(5n, after.maxFeePerGas, before.maxFeePerGas)
        // Neither another read nor time moves it further.
        for (const pause of ["1 second", "1 minute"] as const) {
          yield* TestClock.adjust(pause)
          expect(yield* costOf(chain)).toBe(after.cost)
        }
        yield* proxy.clear()
        yield* busyBlocks(2, gwei)
        yield* TestClock.adjust("1 second")
        expect((yield* observed(chain)).maxPriorityFeePerGas).toBe(gwei)
      }).pipe(Effect.scoped)
    )

    it.effect("is estimated if one node of three returns a valid history", () =>
      Effect.gen(function* () {
        const { chainWith, node } = yield* EvmFixture
        const proxies = [yield* Proxy.make({ target: node.rpcUrl }), yield* Proxy.make({ target: node.rpcUrl })]
        const rpcUrls = [node.rpcUrl, ...proxies.map(({ rpcUrl }) => rpcUrl)] as const
        const expected = yield* costOf(yield* chainWith({}))
        for (const trick of [
          Proxy.rpcError(-32601, "the method eth_feeHistory does not exist/is not available"),
          Proxy.httpStatus(503),
          Proxy.change(() => null),
          changeHistory(() => ({ oldestBlock: "-0x1" })),
          changeHistory(() => ({ oldestBlock: 12 })),
          changeHistory(() => ({ reward: [] })),
          changeHistory(({ reward }) => ({ reward: reward.slice(1) })),
          changeHistory(({ reward }) => ({ reward: reward.map(() => ["-0x1"]) })),
          changeHistory(({ reward }) => ({ reward: reward.map(() => [`0x1${"0".repeat(64)}`]) })),
          changeHistory(({ baseFeePerGas }) => ({ baseFeePerGas: baseFeePerGas.slice(1) })),
          changeHistory(({ baseFeePerGas }) => ({ baseFeePerGas: baseFeePerGas.map(() => "") })),
          changeHistory(({ gasUsedRatio }) => ({ gasUsedRatio: gasUsedRatio.slice(1) })),
          changeHistory(({ gasUsedRatio }) => ({ gasUsedRatio: gasUsedRatio.map(() => -1) })),
          changeHistory(() => ({ gasUsedRatio: [], baseFeePerGas: ["0x0"], reward: [] }))
        ]) {
          yield* Effect.forEach(proxies, (proxy) => proxy.set("eth_feeHistory", trick))
          expect(yield* costOf(yield* chainWith({ rpcUrls }))).toBe(expected)
        }
      }).pipe(Effect.scoped)
    )

    it.effect("uses the newest block header if no node supports eth_feeHistory", () =>
      Effect.gen(function* () {
        const { client, proxied } = yield* EvmFixture
        const { chain, proxy } = yield* proxied()
        yield* proxy.set("eth_feeHistory", Proxy.rpcError(-32601, "no such method"))
        const { baseFeePerGas } = yield* Effect.promise(() => client.getBlock())
        expect(baseFeePerGas).toBe(5n * gwei)
        expect(yield* costOf(chain)).toBe(withRise(6n * gwei) * 70_000n)
      }).pipe(Effect.scoped)
    )

    it.effect("is the minimum tip on a chain without a base fee and without transactions", () =>
      Effect.gen(function* () {
        const { chainWith, nextBaseFee, node } = yield* EvmFixture
        yield* node.setBaseFee(0n)
        yield* node.mine(11)
        expect(yield* nextBaseFee).toBe(0n)
        expect(yield* costOf(yield* chainWith({}))).toBe(withRise(leastTip) * 70_000n)
        yield* node.setBaseFee(5n * gwei)
        yield* node.mine()
      })
    )

    it.effect("takes one call per node and block, and none of eth_maxPriorityFeePerGas", () =>
      Effect.gen(function* () {
        const { doubled, node } = yield* EvmFixture
        const { chain, one, two } = yield* doubled({ pollMillis: 1_000 })
        yield* Effect.all([costOf(chain), costOf(chain), quoteOf(chain)], { concurrency: "unbounded" })
        yield* costOf(chain)
        for (const { calls } of [one, two]) {
          expect([yield* calls("eth_feeHistory"), yield* calls("eth_maxPriorityFeePerGas")]).toEqual([1, 0])
        }
        yield* TestClock.adjust("1 second")
        yield* costOf(chain)
        expect([yield* one.calls("eth_feeHistory"), yield* two.calls("eth_feeHistory")]).toEqual([1, 1])
        yield* node.mine()
        yield* TestClock.adjust("1 second")
        yield* costOf(chain)
        expect([yield* one.calls("eth_feeHistory"), yield* two.calls("eth_feeHistory")]).toEqual([2, 2])
      }).pipe(Effect.scoped)
    )

    it.effect("is not decided by the one node of three that answers fast", () =>
      Effect.gen(function* () {
        const { chainWith, node } = yield* EvmFixture
        yield* busyBlocks(10, gwei)
        const expected = yield* costOf(yield* chainWith({}))
        const [liar, slow, slower] = yield* Effect.all([1, 2, 3].map(() => Proxy.make({ target: node.rpcUrl })))
        if (liar === undefined || slow === undefined || slower === undefined) return yield* Effect.die("no proxies")
        const urls = [liar.rpcUrl, slow.rpcUrl, slower.rpcUrl] as const
        const chain = yield* chainWith({ rpcUrls: urls, timeoutMillis: 600_000 })
        yield* lie(liar)
        for (const { set } of [slow, slower]) yield* set("eth_feeHistory", Proxy.loseAnswer)
        const asking = yield* Effect.forkChild(costOf(chain))
        // Three seconds, and slow nodes are left out 200 ms after half of the nodes have answered.
        for (let turn = 0; turn < 300; turn++) yield* TestClock.adjust("10 millis")
        expect(asking.pollUnsafe()).toBeUndefined()
        yield* Fiber.interrupt(asking)
        yield* slow.clear()
        // Callers of the same chain share the request that is still waiting.
        const again = yield* Effect.forkChild(costOf(yield* chainWith({ rpcUrls: urls, timeoutMillis: 600_000 })))
        while (again.pollUnsafe() === undefined) yield* TestClock.adjust("10 millis")
        expect(yield* Fiber.join(again)).toBe(expected)
      }).pipe(Effect.scoped)
    )

    it.effect("does not wait for a node that does not answer", () =>
      Effect.gen(function* () {
        const { doubled } = yield* EvmFixture
        const { chain, two } = yield* doubled({ timeoutMillis: 600_000 })
        const expected = yield* costOf(chain)
        yield* TestClock.adjust("1 second")
        yield* two.set("eth_feeHistory", Proxy.loseAnswer)
        const asking = yield* Effect.forkChild(costOf(chain))
        while (asking.pollUnsafe() === undefined) yield* TestClock.adjust("10 millis")
        expect(yield* Fiber.join(asking)).toBe(expected)
      }).pipe(Effect.scoped)
    )
  })
})
