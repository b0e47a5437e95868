/** Nodes whose calls are counted by method. */
import { type Devnet, Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"

export type Calls = Readonly<Record<string, number>>

export const difference = (after: Calls, before: Calls): Calls =>
  Object.fromEntries(
    Object.entries(after)
      .map(([method, count]) => [method, count - (before[method] ?? 0)] as const)
      .filter(([, count]) => count !== 0)
  )

/** Two proxies in front of a chain, which count its calls. Requests for the latest block are counted apart. */
export const counted = Effect.fnUntraced(function* ({ rpcUrl }: Devnet.EvmChain) {
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
