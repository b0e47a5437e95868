/** Inspects the history of the nodes. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Inspection } from "../../Chains.js"
import { askEach } from "../../quorum.js"
import type { ChainContext } from "../context.js"
import { reachesBackTo } from "../proof/nodeHistory.js"
import { finalBlock } from "../transactions/prepare.js"

/** The history that a node should have, to confirm transactions from before an outage. */
const hours = 24

/** Reports the nodes whose history is too short. Nodes that do not answer are reported as such elsewhere. */
export const inspect = Effect.fnUntraced(function* ({ config, nodes }: ChainContext): Effect.fn.Return<Inspection> {
  const since = (yield* Clock.currentTimeMillis) - hours * 3_600_000
  const { answers } = yield* askEach(nodes.all, (node) =>
    Effect.flatMap(finalBlock(node), (final) => reachesBackTo(node, final, since))
  )
  return {
    problems: [],
    warnings: answers
      .filter(({ value }) => !value)
      .map(
        ({ host }) =>
          `Chain ${config.id} (${config.name}): the node ${host} does not have the history of the last ${hours} hours, which recovery after an outage may need.`
      )
  }
})
