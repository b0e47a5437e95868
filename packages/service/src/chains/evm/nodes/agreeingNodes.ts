/** Counts the nodes of an EVM chain that respond and agree. */
import * as Effect from "effect/Effect"
import { agreeing, askEach, quorumOf, reachedBy } from "../../quorum.js"
import type { EvmContext } from "../context.js"
import { depthFor, finalHeight } from "../proof/finality.js"

/**
 * Counts the nodes that report the same hash for the latest block that a quorum considers final. A node that does not
 * have that block is not counted as agreeing.
 */
export const make = ({ config, quorum: { nodes } }: EvmContext) =>
  Effect.gen(function* () {
    const { answers: finals } = yield* askEach(nodes, (node) =>
      Effect.flatMap(node.feed.recent, (latest) => finalHeight(node, depthFor(config), latest))
    )
    const final = reachedBy(
      Math.min(quorumOf(config), finals.length),
      finals.map(({ value }) => value)
    )
    if (final === undefined) return agreeing(config, [])
    const { answers } = yield* askEach(nodes, ({ blockAt }) => blockAt(final))
    return agreeing(
      config,
      answers.map(({ value }) => value.hash)
    )
  })
