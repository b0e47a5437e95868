/** Failover between the nodes of a chain. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { ChainUnavailable } from "./ChainError.js"
import { noAnswer } from "./quorum.js"

/** How long a node that has failed is tried last. Otherwise, every request would first wait for that node. */
const lastMillis = 30_000

/** Creates a function that runs a task on the first node that can complete it. A task never switches nodes. */
export const make = <N>(chainId: number, nodes: ReadonlyArray<N>) => {
  const lastUntil = new Map<N, number>()
  return Effect.fnUntraced(function* <A, E>(
    task: (node: N) => Effect.Effect<A, E | ChainUnavailable>
  ): Effect.fn.Return<A, E | ChainUnavailable> {
    const now = yield* Clock.currentTimeMillis
    const isLast = (node: N) => (lastUntil.get(node) ?? 0) > now
    const failures: Array<ChainUnavailable> = []
    for (const node of [...nodes.filter((each) => !isLast(each)), ...nodes.filter(isLast)]) {
      const result = yield* Effect.result(task(node))
      if (Result.isSuccess(result)) {
        lastUntil.delete(node)
        return result.success
      }
      if (!(result.failure instanceof ChainUnavailable)) return yield* Effect.fail(result.failure)
      lastUntil.set(node, now + lastMillis)
      failures.push(result.failure)
    }
    return yield* noAnswer(chainId, failures)
  })
}
