/** Failover between the nodes of a chain. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { ChainUnavailable } from "./ChainError.js"
import type { Access } from "./nodeLimits.js"
import { noAnswer } from "./quorum.js"

/** How long a node that has failed is tried last. Otherwise, every request would first wait for that node. */
const lastMillis = 30_000
/**
 * A node is slow if its calls take much longer than the others' calls, by this factor and at least by this time. For the
 * next `millis`, it is tried after the other nodes.
 */
const slow = { factor: 4, leastMillis: 500, millis: 30_000 }

const median = (values: ReadonlyArray<number>): number | undefined =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)]

/** Whether a node is much slower than most of the other nodes. */
const isSlow = (node: Access, nodes: ReadonlyArray<Access>): boolean => {
  const own = node.latency()
  if (own === undefined) return false
  const others = median(nodes.flatMap((other) => (other === node ? [] : (other.latency() ?? []))))
  return others !== undefined && own > Math.max(slow.factor * others, others + slow.leastMillis)
}

/** Creates a function that runs a task on the first node that can complete it. A task never switches nodes. */
export const make = <N extends { readonly access: Access }>(chainId: number, nodes: ReadonlyArray<N>) => {
  const lastUntil = new Map<N, number>()
  const accesses = nodes.map(({ access }) => access)

  /** 0 for the nodes that are tried first. Each further group is tried after the previous one. */
  const groupOf = (node: N, now: number): number => {
    if (isSlow(node.access, accesses)) node.access.avoidUntil(now + slow.millis)
    if (node.access.isAside(now)) return 3
    if ((lastUntil.get(node) ?? 0) > now) return 2
    return node.access.isAvoided(now) ? 1 : 0
  }

  return Effect.fnUntraced(function* <A, E>(
    task: (node: N) => Effect.Effect<A, E | ChainUnavailable>
  ): Effect.fn.Return<A, E | ChainUnavailable> {
    const now = yield* Clock.currentTimeMillis
    const groups = nodes.map((node) => ({ node, group: nodes.length === 1 ? 0 : groupOf(node, now) }))
    const failures: Array<ChainUnavailable> = []
    for (const { node } of groups.toSorted((a, b) => a.group - b.group)) {
      const result = yield* Effect.result(task(node))
      if (Result.isSuccess(result)) {
        lastUntil.delete(node)
        return result.success
      }
      if (!(result.failure instanceof ChainUnavailable)) return yield* Effect.fail(result.failure)
      // A node that refuses calls says itself how long.
      if (!node.access.isAside(yield* Clock.currentTimeMillis)) lastUntil.set(node, now + lastMillis)
      failures.push(result.failure)
    }
    return yield* noAnswer(chainId, failures)
  })
}
