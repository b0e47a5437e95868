/** Counts the nodes of a Solana chain that respond and agree. */
import * as Effect from "effect/Effect"
import { agreeing, askEach, quorumOf, reachedBy } from "../../quorum.js"
import type { ChainContext } from "../context.js"
import { finalBlock } from "../transactions/prepare.js"
import { Text } from "./rpcSchemas.js"

/** The maximum number of slots that a node may be behind, which is about a minute. */
const mostSlotsBehind = 150n

/**
 * Counts the nodes that report the same genesis hash. A node whose latest final slot is too far behind the slot that a
 * quorum has reached is not counted.
 */
export const agreement = ({ config, nodes }: ChainContext) =>
  Effect.map(
    askEach(nodes.all, (node) =>
      Effect.all(
        {
          final: Effect.map(finalBlock(node), ({ absoluteSlot }) => absoluteSlot),
          genesis: node.ask("getGenesisHash", Text, (rpc) => rpc.getGenesisHash())
        },
        { concurrency: "unbounded" }
      )
    ),
    ({ answers }) => {
      const views = answers.map(({ value }) => value)
      const reached = reachedBy(
        Math.min(quorumOf(config), views.length),
        views.map(({ final }) => final)
      )
      const current = views.filter(({ final }) => reached !== undefined && final + mostSlotsBehind >= reached)
      return agreeing(
        config,
        current.map(({ genesis }) => genesis)
      )
    }
  )
