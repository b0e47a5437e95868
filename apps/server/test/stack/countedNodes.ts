/** Nodes whose calls are counted by method. */
import { Devnet, Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { File } from "./stack.js"

/** A separate devnet. Its blocks are mined by the test, so that the speed of the machine changes no number of calls. */
export const minedDevnetLayer = (confirmations: number) =>
  Layer.fresh(Devnet.layer({ ports: "free", blockTime: 0, slotTime: 100, finalitySlots: 2, confirmations }))

export type Calls = Readonly<Record<string, number>>

export const difference = (after: Calls, before: Calls): Calls =>
  Object.fromEntries(
    Object.entries(after)
      .map(([method, count]) => [method, count - (before[method] ?? 0)] as const)
      .filter(([, count]) => count !== 0)
  )

/** Two proxies in front of a chain, which count its calls. Requests for the latest block are counted apart. */
const counted = Effect.fnUntraced(function* ({ rpcUrl }: Devnet.EvmChain) {
  const nodes = [yield* Proxy.make({ target: rpcUrl }), yield* Proxy.make({ target: rpcUrl })] as const
  let heads = 0
  const countHeads = Proxy.change((block, [at]) => {
    if (at === "latest") heads += 1
    return block
  })
  for (const node of nodes) yield* node.set("eth_getBlockByNumber", countHeads)
  return {
    urls: [nodes[0].rpcUrl, nodes[1].rpcUrl] as const,
    calls: Effect.map(
      Effect.forEach(nodes, ({ callsByMethod }) => callsByMethod),
      (all): Calls => {
        const sum: Record<string, number> = {}
        for (const calls of all) {
          for (const [method, count] of Object.entries(calls)) sum[method] = (sum[method] ?? 0) + count
        }
        const { eth_blockNumber: numbers = 0, eth_getBlockByNumber: blocks = 0, ...rest } = sum
        return { ...rest, eth_getBlockByNumber: blocks - heads, heads: numbers + heads }
      }
    )
  }
})

/** Counted nodes of both EVM chains: what a configuration needs to use them, and the calls of each chain so far. */
export const countedChains = Effect.fnUntraced(function* ({ evmA, evmB }: Devnet.Devnet) {
  const [first, second] = [yield* counted(evmA), yield* counted(evmB)]
  const urls = new Map([
    [evmA.id, first.urls],
    [evmB.id, second.urls]
  ])
  return {
    behind: ({ id, rpcUrls }: File["chains"][number]) => ({ rpcUrls: urls.get(id) ?? rpcUrls }),
    calls: Effect.all([first.calls, second.calls])
  }
})
