/** Counts the nodes of an EVM chain that respond and agree. */
import * as Effect from "effect/Effect"
import { agreeing, askEach, quorumOf, reachedBy } from "../../quorum.js"
import type { EvmContext } from "../context.js"
import { finalOf } from "../proof/finality.js"

/**
 * Counts the nodes that report the same hash for the latest block that a quorum considers final. A node that does not
 * have that block is not counted as agreeing.
 */
export const make = ({ config, quorum: { nodes } }: EvmContext) =>
  Effect.gen(function* () {
    const { answers: heads } = yield* askEach(nodes, ({ feed }) => feed.recent)
    const reached = reachedBy(
      Math.min(quorumOf(config), heads.length),
      heads.map(({ value }) => value.number)
    )
    if (reached === undefined) return agreeing(config, [])
    const final = finalOf(config, reached)
    const { answers } = yield* askEach(nodes, ({ blockAt }) => blockAt(final))
    return agreeing(
      config,
      answers.map(({ value }) => value.hash)
    )
  })
