/** Counts the nodes of an EVM chain that respond and agree. */
import * as Effect from "effect/Effect"
import type * as Config from "../../../config/Config.js"
import type { Agreement } from "../../Outcome.js"
import { reachedBy } from "../../quorum.js"
import { finalOf } from "../proof/finality.js"
import type { NodeQuorum } from "./nodeQuorum.js"

/**
 * Counts the nodes that report the same hash for the latest block that a quorum considers final. A node that does not
 * have that block is not counted as agreeing.
 */
export const make = ({ askEach, count, quorum }: NodeQuorum, config: Config.EvmChain): Effect.Effect<Agreement> =>
  Effect.gen(function* () {
    const { answers: heads } = yield* askEach(({ feed }) => feed.recent)
    const reached = reachedBy(
      Math.min(quorum, heads.length),
      heads.map(({ value }) => value.number)
    )
    if (reached === undefined) return { nodes: count, agreeing: 0, quorum }
    const final = finalOf(config, reached)
    const { answers } = yield* askEach(({ blockAt }) => blockAt(final))
    const withSame = answers.map(({ value }) => answers.filter((other) => other.value.hash === value.hash).length)
    return { nodes: count, agreeing: Math.max(0, ...withSame), quorum }
  })
