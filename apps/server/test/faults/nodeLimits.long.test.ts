import { describe, layer } from "@effect/vitest"
import { Devnet, Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import { expect } from "vitest"
import * as evm from "../stack/evm.js"
import { eachChain, startSwap, timeout } from "../stack/fixture.js"
import { devnetLayer, serve } from "../stack/stack.js"

const perSecond = 30

/** The most calls that a budget allows between the first and the last of these times, in milliseconds. */
const mostBetween = (times: ReadonlyArray<number>): number =>
  perSecond * (Math.ceil(((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1_000) + 1)

/** Three nodes of a chain, and a relay. */
const nodesOf = Effect.fnUntraced(function* ({ id, rpcUrl }: Devnet.EvmChain) {
  const make = Proxy.make({ target: rpcUrl })
  const [first, second, third, relay] = [yield* make, yield* make, yield* make, yield* make]
  const times: Array<number> = []
  const record = Proxy.change((result) => {
    times.push(Date.now())
    return result
  })
  yield* first.set("*", record)
  return { id, first, second, third, relay, times, record, urls: [first.rpcUrl, second.rpcUrl, third.rpcUrl] as const }
})

describe("swaps with limited nodes", () => {
  layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "settle while one of three nodes answers 429, hangs or has lost its history, within each node's budget",
      () =>
        Effect.gen(function* () {
          const devnet = yield* Devnet.Devnet
          const usdc = 10_000_000n
          const chains = [yield* nodesOf(devnet.evmA), yield* nodesOf(devnet.evmB)]
          const running = yield* serve(
            devnet,
            eachChain((chain) => {
              const nodes = chains.find(({ id }) => id === chain.id)
              if (nodes === undefined) return chain
              const sendUrls = [nodes.relay.rpcUrl] as const
              return { ...chain, rpcUrls: nodes.urls, sendUrls, requestsPerSecond: perSecond, timeoutMillis: 3_000 }
            }),
            // A hurried clock would shorten the seconds of the budget.
            { isHurried: false }
          )
          const settle = Effect.promise(async () => {
            const wallet = await evm.newDelegated(devnet, devnet.evmA, { USDC: usdc })
            const { ended } = await startSwap({ devnet, running }, wallet)
            expect((await ended).status).toBe("settled")
          })
          const eachNode = <A, E>(run: (nodes: (typeof chains)[number]) => Effect.Effect<A, E>) =>
            Effect.forEach(chains, run, { discard: true })

          yield* settle
          for (const { first, relay, second, times } of chains) {
            expect(times.length).toBeGreaterThan(0)
            // The calls of one second may reach the proxy in the next one, so only their sum is exact.
            expect(times.length).toBeLessThanOrEqual(mostBetween(times))
            expect(yield* relay.calls("eth_sendRawTransaction")).toBeGreaterThan(0)
            expect(yield* relay.calls()).toBe(yield* relay.calls("eth_sendRawTransaction"))
            for (const node of [first, second]) expect(yield* node.calls("eth_sendRawTransaction")).toBe(0)
          }

          yield* eachNode(({ first }) => first.set("*", Proxy.rateLimit(60)))
          const before = yield* Effect.forEach(chains, ({ first }) => first.calls())
          yield* settle
          for (const [index, { first }] of chains.entries()) {
            // Only calls that were sent at the same time as the first refused one.
            expect((yield* first.calls()) - (before[index] ?? 0)).toBeLessThan(20)
          }

          yield* eachNode(({ first, record }) => Effect.andThen(first.clear(), first.set("*", record)))
          yield* eachNode(({ second }) => second.set("*", Proxy.loseAnswer))
          yield* settle
          yield* eachNode(({ second }) => second.clear())

          const pruned = Proxy.rpcError(-32_000, "missing trie node: state is pruned")
          for (const method of ["eth_getLogs", "eth_call", "eth_getTransactionReceipt", "eth_getBlockByNumber"]) {
            yield* eachNode(({ third }) => third.set(method, pruned))
          }
          yield* settle
          for (const { times } of chains) expect(times.length).toBeLessThanOrEqual(mostBetween(times))
        }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None")),
      timeout
    )
  })
})
