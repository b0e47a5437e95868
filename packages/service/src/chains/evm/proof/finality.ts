/** Finality: how deep a block must be to be final, and which of a node's blocks is that deep. */
import * as Effect from "effect/Effect"
import type * as Config from "../../../config/Config.js"
import type { ChainUnavailable } from "../../ChainError.js"
import type { Node } from "../nodes/nodeQuorum.js"
import type { Block } from "../nodes/reads.js"
import { firstAfter } from "../nodes/searchLogs.js"

/** The largest assumed difference between the chain's clock and the service's clock. */
export const skewMillis = 60_000

/**
 * Returns how deep a block must be for what depends on it: the depth of the first tier that covers the dollars at risk. If
 * they are not known, the depth of the last tier.
 */
export const depthFor = ({ finality }: Pick<Config.EvmChain, "finality">, atRiskUsd = Infinity): Config.Depth => {
  const last = finality[finality.length - 1] ?? finality[0]
  return (finality.find(({ upToUsd }) => upToUsd !== undefined && atRiskUsd <= upToUsd) ?? last).after
}

/** The depth for what has no value, such as a delegation. */
export const leastDepth = (config: Pick<Config.EvmChain, "finality">): Config.Depth => depthFor(config, 0)

const least = (a: bigint, b: bigint) => (a < b ? a : b)

/**
 * Returns the newest block that is older than the latest block by a number of seconds. Almost always, the feed has seen
 * such a block. It may have seen a newer one that is old enough, too, so the result may be too old, but never too new.
 */
const olderBy = Effect.fnUntraced(function* (node: Node, seconds: number, latest: Block) {
  const time = latest.timestamp - seconds
  const seen = node.feed.seenBefore(time)
  if (seen !== undefined) return least(seen, latest.number)
  const next = yield* firstAfter(node, time, latest.number)
  const final = next > 0n ? next - 1n : 0n
  node.feed.see({ number: final, timestamp: time })
  return final
})

/** Returns the height of a node's latest block that is at a depth, given its latest block. */
export const finalHeight = (
  node: Node,
  depth: Config.Depth,
  latest: Block
): Effect.Effect<bigint, ChainUnavailable> => {
  if (typeof depth === "string") {
    const tagged = node.feed.perHead(`the ${depth} block`, node.blockAt(depth))
    return Effect.map(tagged, ({ number }) => least(number, latest.number))
  }
  if ("seconds" in depth) return node.feed.perHead(`${depth.seconds} s`, olderBy(node, depth.seconds, latest))
  const height = latest.number - BigInt(depth.blocks) + 1n
  return Effect.succeed(height > 0n ? height : 0n)
}
