/** How far back a node remembers: that it knows nothing of a transaction tells nothing of the time before. */
import * as Effect from "effect/Effect"
import type { ChainUnavailable } from "../Chains.js"
import type { Attempt } from "../../store/SwapRecord.js"
import { BlockTime, type Epoch, Slot, Slots } from "./rpcSchemas.js"
import type { Node } from "./rpcNodes.js"

/** The clock of a chain is not ours, and runs unevenly. */
const slackMillis = 60_000

/** The first block after the genesis that a node has. */
const firstBlock = Effect.fnUntraced(function* (node: Node): Effect.fn.Return<bigint | undefined, ChainUnavailable> {
  const first = yield* node.ask("getFirstAvailableBlock", Slot, (rpc) => rpc.getFirstAvailableBlock())
  if (first > 0n) return first
  // So do those answer that began with a snapshot a moment ago, and have the genesis alone or no block at all.
  const [, second] = yield* node.ask("getBlocksWithLimit", Slots, (rpc) =>
    rpc.getBlocksWithLimit(0n, 2, { commitment: "finalized" })
  )
  return second
})

const reachesBackTo = Effect.fnUntraced(function* (
  node: Node,
  { absoluteSlot, blockHeight }: typeof Epoch.Type,
  millis: number
): Effect.fn.Return<boolean, ChainUnavailable> {
  const first = yield* firstBlock(node)
  if (first === undefined) return false
  // All blocks that the chain ever had fit in these slots: it began here, maybe less than a minute ago.
  if (blockHeight <= absoluteSlot - first + 1n) return true
  const seconds = yield* node.ask("getBlockTime", BlockTime, (rpc) => rpc.getBlockTime(first))
  return seconds !== null && Number(seconds) * 1000 <= millis - slackMillis
})

/** Fails where a node does not remember the time in which these attempts were made: that it has none says nothing. */
export const remembers = Effect.fnUntraced(function* (
  node: Node,
  final: typeof Epoch.Type,
  attempts: ReadonlyArray<Attempt>
): Effect.fn.Return<void, ChainUnavailable> {
  if (attempts.length === 0) return
  const since = Math.min(...attempts.map(({ createdAt }) => createdAt))
  if (yield* reachesBackTo(node, final, since)) return
  const { hash = "" } = attempts.find(({ createdAt }) => createdAt === since) ?? {}
  return yield* node.invalidAnswer(
    `does not remember the time in which ${hash} was signed: configure a node with more history`
  )
})
