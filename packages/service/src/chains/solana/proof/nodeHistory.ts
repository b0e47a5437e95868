/**
 * Checks how far back a node's history goes. If the history starts after a transaction was signed, the absence of that
 * transaction proves nothing.
 */
import * as Effect from "effect/Effect"
import type { Attempt } from "../../../domain/SwapRecord.js"
import type { Node } from "../nodes/rpcNodes.js"
import { BlockTime, type Epoch, Slot, Slots } from "../nodes/rpcSchemas.js"

/** The tolerance for the chain's clock, which runs unevenly. */
const slackMillis = 60_000

/** Returns the first block after genesis that a node has. */
const firstBlock = Effect.fnUntraced(function* (node: Node) {
  const first = yield* node.ask("getFirstAvailableBlock", Slot, (rpc) => rpc.getFirstAvailableBlock())
  if (first > 0n) return first
  // Nodes that have just started from a snapshot also return 0, although they have only the genesis block or no block
  // at all.
  const [, second] = yield* node.ask("getBlocksWithLimit", Slots, (rpc) =>
    rpc.getBlocksWithLimit(0n, 2, { commitment: "finalized" })
  )
  return second
})

/** Whether a node's history goes back to a time, in Unix milliseconds. */
export const reachesBackTo = Effect.fnUntraced(function* (
  node: Node,
  { absoluteSlot, blockHeight }: typeof Epoch.Type,
  millis: number
) {
  const first = yield* firstBlock(node)
  if (first === undefined) return false
  // The chain has no more blocks than there are slots from the node's first block to the latest block. The node's
  // history is therefore complete, even if the chain started less than a minute ago.
  if (blockHeight <= absoluteSlot - first + 1n) return true
  const seconds = yield* node.ask("getBlockTime", BlockTime, (rpc) => rpc.getBlockTime(first))
  return seconds !== null && Number(seconds) * 1000 <= millis - slackMillis
})

/**
 * Fails if a node's history does not go back to the first of these attempts. In that case, the absence of an attempt
 * proves nothing.
 */
export const remembers = Effect.fnUntraced(function* (
  node: Node,
  final: typeof Epoch.Type,
  attempts: ReadonlyArray<Attempt>
) {
  if (attempts.length === 0) return
  const since = Math.min(...attempts.map(({ createdAt }) => createdAt))
  if (yield* reachesBackTo(node, final, since)) return
  const { hash = "" } = attempts.find(({ createdAt }) => createdAt === since) ?? {}
  return yield* node.invalidAnswer(
    `has no history for the time when ${hash} was signed. Configure a node with more history`
  )
})
